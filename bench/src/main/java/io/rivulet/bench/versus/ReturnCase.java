package io.rivulet.bench.versus;

import io.rivulet.bench.devices.Devices;
import io.rivulet.bench.devices.Exchange;
import io.rivulet.bench.devices.Fleet;
import io.rivulet.bench.lab.Await;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Scrape;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.ProduceFrames;
import io.rivulet.bench.load.Topics;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataRequest.MetadataRequestTopic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Many devices are connected, lose their connections at the same time, and come back at once. Each asks for versions
 * and metadata, as a producer does, and produces a record. One that fails tries again. Immutable.
 */
final class ReturnCase extends Case {
    private static final String TOPIC = "devices";
    private static final LoadShape SHAPE = new LoadShape(100, 1, 1);
    private static final short METADATA = 9;
    /** When they come for the first time. */
    private static final int FEW = 100;

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final double MILLIS_PER_SECOND = 1_000;

    private final int devices;
    private final boolean resumes;

    /** @param resumes whether a device resumes its last session */
    ReturnCase(int devices, boolean resumes) {
        super(
                "return-" + devices + (resumes ? "-resumed" : ""),
                "%,d devices come back at once%s".formatted(devices, resumes ? ", sessions resumed" : ""),
                BOTH);
        this.devices = devices;
        this.resumes = resumes;
    }

    @Override
    Connections connections() {
        return resumes ? Connections.TLS : Connections.PLAIN_OR_TLS;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        String pages = "localhost:" + Lab.freePort();
        try (RunningBroker broker = lab.start(subject, Map.of("rivulet.http.listener", pages));
                Devices network = new Devices(broker, resumes)) {
            Topics.createReady(broker, TOPIC, SHAPE);
            List<List<Exchange>> exchanges = exchanges();
            Fleet fleet = new Fleet(network, devices, device -> exchanges.get(device % SHAPE.partitions()));
            fleet.arrive(FEW, () -> {});
            fleet.cut();
            Await.nanoTime(System.nanoTime() + PAUSE_NANOS);
            Figures figures = comeBack(broker, fleet);
            if (subject != Subject.KAFKA) {
                figures.with(Metric.DIRECT_MIB, Scrape.of(pages).mib("rivulet_network_direct_bytes"));
            }
            return figures;
        }
    }

    private Figures comeBack(RunningBroker broker, Fleet fleet) throws IOException, BrokerFailedException {
        double before = broker.residentMib();
        broker.resetPeakResident();
        int[] threads = {broker.threads()};
        Meter meter = new Meter(broker);
        Fleet.Arrival arrival = fleet.arrive(devices, () -> threads[0] = Math.max(threads[0], broker.threads()));
        Figures figures = meter.connects(devices)
                .with(Metric.HALF_SECONDS, arrival.answered().p50() / MILLIS_PER_SECOND)
                .with(Metric.P99_SECONDS, arrival.answered().p99() / MILLIS_PER_SECOND)
                .with(Metric.ALL_SECONDS, arrival.answered().longest() / MILLIS_PER_SECOND)
                .with(Metric.FAILED, (double) arrival.failed())
                .with(Metric.RSS_BEFORE_MIB, before)
                .with(Metric.PEAK_THREADS, threads[0]);
        return broker.isEncrypted()
                ? figures.with(Metric.RESUMED_PERCENT, 100.0 * arrival.resumed() / devices)
                : figures;
    }

    /** What a device sends, by partition. */
    private static List<List<Exchange>> exchanges() {
        Exchange versions = Exchange.versions();
        Exchange metadata = Exchange.of(
                ApiKey.METADATA,
                METADATA,
                new MetadataRequest().topics(List.of(new MetadataRequestTopic().name(TOPIC))));
        List<List<Exchange>> all = new ArrayList<>();
        for (int partition = 0; partition < SHAPE.partitions(); partition++) {
            Exchange produce =
                    Exchange.of(ApiKey.PRODUCE, ProduceFrames.VERSION, ProduceFrames.oneRecord(TOPIC, partition));
            all.add(List.of(versions, metadata, produce));
        }
        return all;
    }
}
