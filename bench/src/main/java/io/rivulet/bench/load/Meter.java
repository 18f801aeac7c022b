package io.rivulet.bench.load;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.ProcFs;
import io.rivulet.bench.lab.RunningBroker;
import java.io.IOException;

/** Measures what a broker, with its fellows, uses from now on. Owned by: the command's thread. */
public final class Meter {
    private static final double MICROS_PER_SECOND = 1e6;

    private final RunningBroker broker;
    private final long startNanos;
    private final double brokerCpu;
    private final double followerCpu;
    private final double engineCpu;
    private final double ownCpu;
    private final double busy;

    public Meter(RunningBroker broker) throws IOException {
        this.broker = broker;
        this.busy = ProcFs.busySeconds();
        this.ownCpu = ProcFs.cpuSeconds(ProcessHandle.current().pid());
        this.engineCpu = broker.engineCpuSeconds();
        this.brokerCpu = allCpuSeconds();
        this.followerCpu = followerCpuSeconds();
        this.startNanos = System.nanoTime();
    }

    /** Warms up and measures. The figures include latencies and bytes if the loads count them. */
    public static Figures measure(RunningBroker broker, Running running, Pace pace, Counters counters)
            throws IOException, BrokerFailedException {
        running.watch(pace.warmUpSeconds());
        counters.latencies().reset();
        Meter meter = new Meter(broker);
        long messages = counters.messages().sum();
        long bytes = counters.bytes().sum();
        running.watch(pace.measuredSeconds());
        Figures figures = meter.figures(counters.messages().sum() - messages);
        if (bytes > 0) {
            figures.withRate(Metric.READ_MIB_PER_SECOND, counters.bytes().sum() - bytes, pace.measuredSeconds());
        }
        Latency latency = Latency.of(counters.latencies());
        return latency.count() == 0 ? figures : figures.with(latency);
    }

    public double seconds() {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    /** Processor time of the broker and its fellows. */
    public double cpuSeconds() throws IOException {
        return allCpuSeconds() - brokerCpu;
    }

    private double allCpuSeconds() throws IOException {
        double sum = broker.cpuSeconds();
        for (RunningBroker each : broker.fellows()) {
            sum += each.cpuSeconds();
        }
        return sum;
    }

    /** Of the fellows that no load has connected to. */
    private double followerCpuSeconds() throws IOException {
        double sum = 0;
        for (RunningBroker each : broker.fellows()) {
            sum += each.hasLoad() ? 0 : each.cpuSeconds();
        }
        return sum;
    }

    private double residentMib() throws IOException {
        double sum = broker.residentMib();
        for (RunningBroker each : broker.fellows()) {
            sum += each.residentMib();
        }
        return sum;
    }

    /** Processor time of the load, in this process. */
    public double ownCpuSeconds() throws IOException {
        return ProcFs.cpuSeconds(ProcessHandle.current().pid()) - ownCpu;
    }

    /** Figures of connections that were opened since the start of the meter. */
    public Figures connects(long count) throws IOException {
        long some = Math.max(1, count);
        return new Figures()
                .with(Metric.CONNECTS_PER_SECOND, count / seconds())
                .with(Metric.CONNECT_CPU_MICROS, cpuSeconds() * MICROS_PER_SECOND / some)
                .with(Metric.LOAD_CPU_MICROS, ownCpuSeconds() * MICROS_PER_SECOND / some)
                .with(Metric.PEAK_RSS_MIB, broker.peakResidentMib())
                .with(Metric.RSS_MIB, broker.residentMib());
    }

    /** @param messages handled since the start of the meter */
    public Figures figures(long messages) throws IOException {
        double seconds = seconds();
        double cpu = cpuSeconds();
        double followers = followerCpuSeconds() - followerCpu;
        double own = ownCpuSeconds();
        double engines = broker.engineCpuSeconds() - engineCpu;
        double others = Math.max(0, ProcFs.busySeconds() - busy - cpu - own - engines);
        double microsEach = MICROS_PER_SECOND / Math.max(1, messages);
        double resident = residentMib();
        Figures figures = new Figures()
                .with(Metric.MESSAGES_PER_SECOND, messages / seconds)
                .with(Metric.CPU_MICROS, cpu * microsEach)
                .with(Metric.RSS_MIB, resident)
                .with(
                        Metric.OTHERS_PERCENT,
                        100 * others / seconds / Runtime.getRuntime().availableProcessors());
        if (engines > 0) {
            figures.with(Metric.ENGINE_CPU_MICROS, engines * microsEach)
                    .with(Metric.ENGINE_RSS_MIB, broker.engineResidentMib());
        }
        if (followers > 0) {
            figures.with(Metric.FOLLOWER_CPU_MICROS, followers * microsEach);
        }
        if (!broker.fellows().isEmpty()) {
            figures.with(Metric.SYSTEM_CPU_MICROS, (cpu + engines) * microsEach)
                    .with(Metric.SYSTEM_RSS_MIB, resident + broker.engineResidentMib());
        }
        return figures;
    }
}
