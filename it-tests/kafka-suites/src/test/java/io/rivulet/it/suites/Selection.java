package io.rivulet.it.suites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Writes the file that tells the test plugin which classes to run. */
final class Selection {
    private Selection() {}

    /** Arguments: the file, then groups or classes separated by commas. None of them selects everything. */
    public static void main(String[] arguments) throws IOException {
        List<String> wanted = arguments.length < 2
                ? List.of()
                : Arrays.stream(arguments[1].split(","))
                        .filter(name -> !name.isBlank())
                        .toList();
        List<String> classes = Suites.load().select(wanted);
        if (classes.isEmpty()) {
            throw new IllegalArgumentException("suites.txt has no group and no class to run named " + wanted);
        }
        Path file = Path.of(arguments[0]);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(
                file,
                classes.stream().map(name -> name.replace('.', '/') + ".java").toList());
    }
}
