package io.rivulet.it;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Programs of src/test/resources/clients, each in its own process, with a version of Kafka's Java client. */
final class JavaProgram {
    private JavaProgram() {}

    /**
     * Runs a program.
     *
     * @param version of kafka-clients, such as 2.8.2
     * @param options of the JVM
     */
    static Programs.Outcome run(Path scratch, String version, List<String> options, String program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // most of the time, such a process compiles: its program, and itself
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPathWith(version), "src/test/resources/clients/" + program));
        command.addAll(List.of(arguments));
        return Programs.run(scratch, command.toArray(new String[0]));
    }

    private static String classPathWith(String version) {
        return Path.of("target", "clients", "kafka-clients-" + version + ".jar")
                + File.pathSeparator
                + Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(path -> path.endsWith(".jar") && !path.contains("kafka-clients"))
                        .collect(Collectors.joining(File.pathSeparator));
    }
}
