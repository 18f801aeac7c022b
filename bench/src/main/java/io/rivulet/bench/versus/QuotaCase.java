package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.KafkaTool;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.Topics;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;

/** One of Kafka's perf tools under a quota of its client id: its rate, and how long the broker made it wait. */
abstract class QuotaCase extends Case {
    static final String TOPIC = "quota";
    static final String CLIENT = "quota-bench";
    /** Eleven windows are free: a quarter of them. */
    static final int RECORDS = 45_000;

    static final int RECORD_BYTES = 1_000;
    private static final double BYTES_PER_SECOND = 1e6;

    private final String key;
    private final String throttleMetric;

    /**
     * @param key of the quota
     * @param throttleMetric the client's metric, without {@code -avg} or {@code -max}
     */
    QuotaCase(String name, String tool, String key, String throttleMetric) {
        super(name, "%s, %,d records of %,d bytes, %s of 1 MB".formatted(tool, RECORDS, RECORD_BYTES, key), BOTH);
        this.key = key;
        this.throttleMetric = throttleMetric;
    }

    /** Called before there is a quota. */
    abstract void prepare(Lab lab, RunningBroker broker) throws IOException, BrokerFailedException;

    /** Name and arguments of the tool. */
    abstract List<String> tool(RunningBroker broker);

    abstract double perSecond(PerfOutput output) throws BrokerFailedException;

    @Override
    final Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        try (RunningBroker broker = lab.start(subject)) {
            Topics.create(broker, TOPIC, 1);
            Topics.awaitEnds(broker, TOPIC, 1);
            prepare(lab, broker);
            limit(broker);
            Meter meter = new Meter(broker);
            PerfOutput output = new PerfOutput(KafkaTool.run(lab, broker, tool(broker)));
            return meter.figures(RECORDS)
                    .with(Metric.MESSAGES_PER_SECOND, perSecond(output))
                    .with(Metric.THROTTLE_AVERAGE_MILLIS, output.metric(throttleMetric + "-avg"))
                    .with(Metric.THROTTLE_LONGEST_MILLIS, output.metric(throttleMetric + "-max"));
        }
    }

    private void limit(RunningBroker broker) throws BrokerFailedException {
        ClientQuotaEntity client = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, CLIENT));
        try (Admin admin = Admin.create(Topics.settings(broker))) {
            Topics.await(
                    admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                                    client, List.of(new ClientQuotaAlteration.Op(key, BYTES_PER_SECOND)))))
                            .all(),
                    "can't set the quota");
        }
    }

    /** Name and arguments of ProducerPerformance. */
    static List<String> produce(RunningBroker broker, String client) {
        return PerfTools.produce(broker, TOPIC, RECORDS, RECORD_BYTES, "client.id=" + client, "--print-metrics");
    }
}
