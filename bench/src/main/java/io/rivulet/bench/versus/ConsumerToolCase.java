package io.rivulet.bench.versus;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Kafka's own ConsumerPerformance over one full partition: mostly the client is measured. Stateless. */
final class ConsumerToolCase implements Case {
    private static final String TOPIC = "perf";
    private static final LoadShape SHAPE = new LoadShape(1, 1, 500);
    private static final int MESSAGES = 5_000_000;
    private static final int IN_FLIGHT = 5;
    /** Of the line that it ends with: start, end, MB, MB/s, messages, messages/s, rebalance ms, fetch ms, MB/s, messages/s while fetching. */
    private static final int COLUMNS = 10;

    private static final int PER_SECOND_WHILE_FETCHING = 9;

    @Override
    public String name() {
        return "consumer-performance";
    }

    @Override
    public String title() {
        return "ConsumerPerformance, %,d messages of 58 bytes, 500 to a batch".formatted(MESSAGES);
    }

    @Override
    public Set<Subject> subjects() {
        return Set.of(Subject.RIVULET, Subject.KAFKA);
    }

    @Override
    public Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        try (RunningBroker broker = lab.start(subject)) {
            fill(broker, subject);
            Meter meter = new Meter(broker);
            String said = KafkaTool.run(
                    lab,
                    broker,
                    List.of(
                            "org.apache.kafka.tools.ConsumerPerformance",
                            "--bootstrap-server",
                            "localhost:" + broker.port(),
                            "--topic",
                            TOPIC,
                            "--num-records",
                            String.valueOf(MESSAGES)));
            return meter.figures(MESSAGES).with(Metric.MESSAGES_PER_SECOND, perSecond(said));
        }
    }

    private static double perSecond(String said) throws BrokerFailedException {
        List<String> lines = said.strip().lines().toList();
        String[] columns = lines.get(lines.size() - 1).split(",", -1);
        if (columns.length != COLUMNS) {
            throw new BrokerFailedException("ConsumerPerformance did not end well: " + said.strip());
        }
        return Double.parseDouble(columns[PER_SECOND_WHILE_FETCHING].strip());
    }

    private static void fill(RunningBroker broker, Subject subject) throws IOException, BrokerFailedException {
        ProduceFrames frames = ProduceFrames.of(TOPIC, SHAPE);
        Topics.create(broker, subject, TOPIC, 1);
        Topics.awaitReady(broker, frames);
        LongAdder filled = new LongAdder();
        try (Running filling = new Running(broker)) {
            filling.start(new ProduceLoad(broker, frames, 0, IN_FLIGHT, filled, ProduceLoad.recorder()));
            while (filled.sum() < MESSAGES) {
                filling.watch(1);
            }
        }
    }
}
