package io.rivulet.prove.churn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the checkpoints of a broker are, by the names of their files. Immutable. */
record Checkpoints(Path log) {
    /** The manifest is named last. */
    private static final Pattern LATEST = Pattern.compile("manifest-(\\d+)\\.snapshot");

    /** The number of the latest one, 0 before the first. */
    int latest() throws IOException {
        return names().stream()
                .map(LATEST::matcher)
                .filter(Matcher::matches)
                .mapToInt(name -> Integer.parseInt(name.group(1)))
                .max()
                .orElse(0);
    }

    /** What the broker has to load at its next start, without the log. */
    long stateBytes() throws IOException {
        String ending = "-" + latest() + ".snapshot";
        long bytes = 0;
        for (String name : names()) {
            if (name.endsWith(ending)) {
                bytes += Files.size(log.resolve(name));
            }
        }
        return bytes;
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(log)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
