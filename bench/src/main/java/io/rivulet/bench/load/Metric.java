package io.rivulet.bench.load;

import java.util.Locale;

/** What a case measures. */
public enum Metric {
    MESSAGES_PER_SECOND("messages/s", "%,.0f"),
    CPU_MICROS("broker CPU us/message", "%,.3f"),
    P50_MILLIS("p50 ms", "%,.2f"),
    P99_MILLIS("p99 ms", "%,.2f"),
    P999_MILLIS("p99.9 ms", "%,.2f"),
    P99_ALONE_MILLIS("p99 ms without the reader", "%,.2f"),
    P99_BEFORE_MILLIS("p99 ms before the huge messages", "%,.2f"),
    HUGE_MIB_PER_SECOND("huge messages MiB/s", "%,.0f"),
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
    PEAK_RSS_MIB("RSS at its highest MiB", "%,.0f"),
    RSS_MIB("RSS MiB", "%,.0f"),
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
