package io.rivulet.bench.versus;

import io.rivulet.bench.devices.ConnectLoad;
import io.rivulet.bench.devices.Devices;
import io.rivulet.bench.devices.Exchange;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Latency;
import io.rivulet.bench.load.Meter;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import io.rivulet.bench.load.Running;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Connections that ask for the versions of APIs, and end. Immutable. */
final class ConnectsCase extends Case {
    static final int AS_MANY_AS_POSSIBLE = 0;

    /** More of them only wait for the processor. */
    private static final int FEW = 64;
    /** A second's worth. When the broker is slower than the load, the load waits here. */
    private static final int MANY = 1_000;

    private final int perSecond;
    private final boolean resumes;

    /** @param resumes whether a client resumes its last session */
    ConnectsCase(int perSecond, boolean resumes) {
        super(
                "connects-" + (perSecond == AS_MANY_AS_POSSIBLE ? "most" : perSecond) + (resumes ? "-resumed" : ""),
                "connects: "
                        + (perSecond == AS_MANY_AS_POSSIBLE
                                ? "as many as possible, %d at a time".formatted(FEW)
                                : "%,d a second".formatted(perSecond))
                        + (resumes ? ", sessions resumed" : ""),
                BOTH);
        this.perSecond = perSecond;
        this.resumes = resumes;
    }

    @Override
    Connections connections() {
        return resumes ? Connections.TLS : Connections.PLAIN_OR_TLS;
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        ConnectLoad.Counts counts =
                new ConnectLoad.Counts(new LongAdder(), new LongAdder(), new LongAdder(), Latency.recorder());
        try (RunningBroker broker = lab.start(subject);
                Running running = new Running(broker)) {
            int atOnce = perSecond == AS_MANY_AS_POSSIBLE ? FEW : MANY;
            running.start(new ConnectLoad(
                    new Devices(broker, resumes), List.of(Exchange.versions()), perSecond, atOnce, counts));
            running.watch(pace.warmUpSeconds());
            counts.latencies().reset();
            broker.resetPeakResident();
            long answered = counts.answered().sum();
            long resumed = counts.resumed().sum();
            long failed = counts.failed().sum();
            Meter meter = new Meter(broker);
            running.watch(pace.measuredSeconds());
            long connects = counts.answered().sum() - answered;
            double resumedPercent = 100.0 * (counts.resumed().sum() - resumed) / Math.max(1, connects);
            Figures figures = meter.connects(connects)
                    .with(Metric.FAILED, (double) (counts.failed().sum() - failed))
                    .with(Latency.of(counts.latencies()));
            return broker.isEncrypted() ? figures.with(Metric.RESUMED_PERCENT, resumedPercent) : figures;
        }
    }
}
