package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds and runs what gets a peer. Stateless. */
final class Tools {
    private Tools() {}

    /** Finds a program in the path. */
    static Optional<Path> find(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Stream.of(path.split(File.pathSeparator)), Stream.of("/usr/local/go/bin"))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Runs a command to its end, which takes at most minutes. */
    static void run(Path directory, List<String> command, String failure) throws IOException, BrokerFailedException {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .inheritIO()
                    .start();
            if (process.waitFor() != 0) {
                throw new BrokerFailedException(failure);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerFailedException("interrupted", e);
        }
    }
}
