package io.rivulet.it.suites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the file that tells the test plugin which classes to run. */
final class Selection {
    private Selection() {}

    /** Arguments: the file, then groups, parts or classes separated by commas, or "all". */
    public static void main(String[] arguments) throws IOException {
        List<String> wanted = arguments[1].equals("all") ? List.of() : List.of(arguments[1].split(","));
        List<String> classes = Suites.load().select(wanted);
        if (classes.isEmpty()) {
            throw new IllegalArgumentException("suites.txt has no group, part or class to run named " + wanted);
        }
        Path file = Path.of(arguments[0]);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(
                file,
                classes.stream().map(name -> name.replace('.', '/') + ".java").toList());
    }
}
