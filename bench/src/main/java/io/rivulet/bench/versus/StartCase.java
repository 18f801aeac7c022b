package io.rivulet.bench.versus;

import io.rivulet.bench.lab.Await;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Lab;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import io.rivulet.bench.load.Figures;
import io.rivulet.bench.load.Metric;
import io.rivulet.bench.load.Pace;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** A broker without data: the duration of its start, and what it uses while it is idle. Immutable. */
final class StartCase extends Case {
    private static final long IDLE_SECONDS = 5;

    StartCase() {
        super("start", "start, empty, and idle", BOTH);
    }

    @Override
    Figures run(Subject subject, Lab lab, Pace pace) throws IOException, BrokerFailedException {
        try (RunningBroker broker = lab.start(subject)) {
            double startCpu = broker.cpuSeconds();
            rest();
            double cpuBefore = broker.cpuSeconds();
            rest();
            return new Figures()
                    .with(Metric.START_MILLIS, broker.startMillis())
                    .with(Metric.START_CPU_MILLIS, 1000 * startCpu)
                    .with(Metric.RSS_MIB, broker.residentMib())
                    .with(Metric.BROKER_CPU_PERCENT, 100 * (broker.cpuSeconds() - cpuBefore) / IDLE_SECONDS);
        }
    }

    private static void rest() {
        Await.nanoTime(System.nanoTime() + TimeUnit.SECONDS.toNanos(IDLE_SECONDS));
    }
}
