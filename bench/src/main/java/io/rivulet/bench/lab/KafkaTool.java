package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs one of Kafka's command line tools against a broker. Stateless. */
public final class KafkaTool {
    private static final int HEAP_MIB = 512;
    private static final long SECONDS = 120;

    private KafkaTool() {}

    /** Returns the output. The tool is killed when it takes too long. */
    public static String run(Lab lab, RunningBroker broker, List<String> mainClassAndArguments)
            throws IOException, BrokerFailedException {
        Path home = Files.createDirectories(broker.home().resolve("tool"));
        String[] arguments =
                mainClassAndArguments.subList(1, mainClassAndArguments.size()).toArray(String[]::new);
        Process tool = lab.spawn(lab.kafka().command(HEAP_MIB, mainClassAndArguments.get(0), arguments), home);
        try {
            if (!tool.waitFor(SECONDS, TimeUnit.SECONDS)) {
                Children.kill(tool);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerFailedException("interrupted", e);
        }
        return Files.readString(home.resolve("output"));
    }
}
