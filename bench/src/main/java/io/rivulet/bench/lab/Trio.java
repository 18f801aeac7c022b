package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Starts three brokers that are one cluster. Those of Rivulet have three engines, and the first one owns the log; those
 * of Kafka are controllers, too. Owned by: the command's thread.
 */
final class Trio {
    private final Lab lab;
    private final Subject subject;
    private final Path directory;
    private final Map<String, String> settings;
    private final List<RunningBroker> brokers = new ArrayList<>();
    private @Nullable Engines engines;

    Trio(Lab lab, Subject subject, Path directory, Map<String, String> settings) {
        this.lab = lab;
        this.subject = subject;
        this.directory = directory;
        this.settings = settings;
    }

    /** Returns the first one, which ends all of them, when each knows all. */
    RunningBroker start() throws IOException, BrokerFailedException {
        try {
            add();
            RunningBroker first = brokers.get(0);
            first.launch();
            if (!subject.isKafka()) {
                first.awaitReady(); // so it becomes the owner
            }
            List<RunningBroker> others = brokers.subList(1, brokers.size());
            for (RunningBroker each : others) {
                each.launch();
            }
            for (RunningBroker each : brokers) {
                each.awaitReady();
            }
            first.leads(others);
            for (RunningBroker each : brokers) {
                each.awaitKnows(subject.brokers());
            }
            return first;
        } catch (IOException | BrokerFailedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void add() throws IOException, BrokerFailedException {
        if (subject.isKafka()) {
            addKafka();
        } else {
            engines = Engines.start(lab, directory);
            addRivulet(engines);
        }
    }

    private void addKafka() throws IOException {
        List<KafkaNode> nodes = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        for (int id = 1; id <= subject.brokers(); id++) {
            List<Integer> free = Lab.freePorts(2);
            ports.add(free.get(0));
            nodes.add(new KafkaNode(id, home(), "PLAINTEXT://localhost:" + free.get(0), free.get(1)));
        }
        Map<String, String> all = new TreeMap<>(settings);
        if (subject == Subject.KAFKA_THREE_FSYNC) {
            all.put("log.flush.interval.messages", "1");
        }
        for (int i = 0; i < nodes.size(); i++) {
            List<String> command = nodes.get(i).prepare(lab, nodes, all);
            brokers.add(new RunningBroker(lab, subject, command, nodes.get(i).home(), ports.get(i), null));
        }
    }

    private void addRivulet(Engines machines) throws IOException {
        for (int id = 1; id <= subject.brokers(); id++) {
            Path home = home();
            List<Integer> free = Lab.freePorts(2);
            String pages = "localhost:" + free.get(1);
            Map<String, String> all = new TreeMap<>(settings);
            all.put("node.id", Integer.toString(id));
            all.put("rivulet.cluster", machines.registry());
            all.put("rivulet.cluster.failover", "true");
            all.put("rivulet.http.listener", pages);
            List<String> command = lab.rivulet(subject, home, "PLAINTEXT://localhost:" + free.get(0), all);
            RunningBroker broker =
                    new RunningBroker(lab, subject, command, home, free.get(0), id == 1 ? machines : null);
            broker.hasPages(pages);
            brokers.add(broker);
        }
    }

    private Path home() throws IOException {
        return Files.createTempDirectory(directory, subject.name().toLowerCase(Locale.ROOT) + "-");
    }

    /** After a failure. The first one has the engines. */
    private void close() throws IOException {
        for (RunningBroker each : brokers) {
            each.close();
        }
        if (brokers.isEmpty() && engines != null) {
            engines.close();
        }
    }
}
