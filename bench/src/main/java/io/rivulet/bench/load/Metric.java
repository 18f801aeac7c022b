package io.rivulet.bench.load;

import java.util.Locale;

/** What a case measures. */
public enum Metric {
    MESSAGES_PER_SECOND("messages/s", "%,.0f"),
    CPU_MICROS("broker CPU us/message", "%,.3f"),
    FOLLOWER_CPU_MICROS("of it brokers without clients us/message", "%,.3f"),
    ENGINE_CPU_MICROS("CPU of three engines us/message", "%,.3f"),
    SYSTEM_CPU_MICROS("CPU of all processes us/message", "%,.3f"),
    CONNECTS_PER_SECOND("connects/s", "%,.0f"),
    CONNECT_CPU_MICROS("broker CPU us/connect", "%,.0f"),
    LOAD_CPU_MICROS("CPU of the load us/connect", "%,.0f"),
    RESUMED_PERCENT("handshakes that resumed a session %", "%,.0f"),
    FAILED("connects that failed", "%,.0f"),
    P50_MILLIS("p50 ms", "%,.2f"),
    P99_MILLIS("p99 ms", "%,.2f"),
    P999_MILLIS("p99.9 ms", "%,.2f"),
    P99_ALONE_MILLIS("p99 ms without the reader", "%,.2f"),
    P99_BEFORE_MILLIS("p99 ms before the huge messages", "%,.2f"),
    HUGE_MIB_PER_SECOND("huge messages MiB/s", "%,.0f"),
    LONGEST_MILLIS("longest ms", "%,.0f"),
    HALF_SECONDS("half of them answered s", "%,.2f"),
    P99_SECONDS("99 % answered s", "%,.2f"),
    ALL_SECONDS("all answered s", "%,.2f"),
    THROTTLE_AVERAGE_MILLIS("throttle time of the client, average ms", "%,.0f"),
    THROTTLE_LONGEST_MILLIS("throttle time of the client, longest ms", "%,.0f"),
    READ_MIB_PER_SECOND("read MiB/s", "%,.0f"),
    JOIN_MILLIS("all join ms", "%,.0f"),
    JOIN_STEPS("generations or rounds of heartbeats until all have joined", "%,.0f"),
    LEAVE_MILLIS("one leaves ms", "%,.0f"),
    LEAVE_STEPS("generations or rounds of heartbeats until it has left", "%,.0f"),
    BROKER_CPU_MILLIS("broker CPU ms", "%,.0f"),
    COMMIT_SECONDS("commit of all s", "%,.2f"),
    HEAP_BYTES_EACH("heap bytes for each", "%,.1f"),
    BROKER_CPU_PERCENT("broker CPU % of a core", "%,.1f"),
    START_MILLIS("start ms", "%,.0f"),
    START_CPU_MILLIS("CPU of the start ms", "%,.0f"),
    SESSION_SECONDS("session made and all of it read s", "%,.2f"),
    CREATE_SECONDS("create s", "%,.2f"),
    RESTART_SECONDS("restart after kill -9 s", "%,.2f"),
    CLEAN_SECONDS("until compacted s", "%,.2f"),
    COMPACTED_MIB_PER_SECOND("compacted MiB/s", "%,.0f"),
    RSS_BEFORE_MIB("RSS before MiB", "%,.0f"),
    PEAK_RSS_MIB("RSS at its highest MiB", "%,.0f"),
    RSS_MIB("RSS MiB", "%,.0f"),
    ENGINE_RSS_MIB("RSS of three engines MiB", "%,.0f"),
    SYSTEM_RSS_MIB("RSS of all processes MiB", "%,.0f"),
    PEAK_THREADS("threads at most", "%,.0f"),
    DIRECT_MIB("direct memory for requests and answers MiB", "%,.0f"),
    OTHERS_PERCENT("machine busy with others %", "%,.0f");

    private final String title;
    private final String format;

    Metric(String title, String format) {
        this.title = title;
        this.format = format;
    }

    public String title() {
        return title;
    }

    public String format(double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
