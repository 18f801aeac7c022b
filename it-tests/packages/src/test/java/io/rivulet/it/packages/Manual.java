package io.rivulet.it.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The commands of docs/INSTALL.md, as an administrator would type them. Immutable. */
final class Manual {
    private static final String FOLDER = "/root/";

    private final BareDebian debian;
    private final List<String> lines;

    Manual(BareDebian debian) throws IOException {
        this.debian = debian;
        this.lines = Files.readAllLines(Dist.REPOSITORY.resolve("docs/INSTALL.md")).stream()
                .map(String::strip)
                .toList();
    }

    /** Runs a command that the page has in a line of its own; what follows in the line explains it. */
    String run(String command) {
        assertThat(lines)
                .as("lines of INSTALL.md")
                .anyMatch(line -> line.equals(command) || line.startsWith(command + "  "));
        return debian.bash("cd " + FOLDER + " && " + command.replaceAll("\\bsudo ", ""));
    }
}
