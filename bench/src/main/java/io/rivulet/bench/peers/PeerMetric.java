package io.rivulet.bench.peers;

import java.util.Locale;

/** What a run measures. */
enum PeerMetric {
    MESSAGES_PER_SECOND("messages/s", "%,.0f"),
    CPU_MICROS("CPU us/message", "%,.2f"),
    RSS_MIB("RSS MiB", "%,.0f"),
    ANONYMOUS_MIB("of it anonymous MiB", "%,.0f"),
    READY_SECONDS("started and queues made s", "%,.2f"),
    FILL_SECONDS("a message in each queue s", "%,.2f"),
    REACHED("queues reached", "%,.0f"),
    RESTART_SECONDS("restart s", "%,.2f"),
    ACKNOWLEDGED("acknowledged", "%,.0f"),
    MISSING("missing after `kill -9`", "%,.0f"),
    OTHERS_PERCENT("others %", "%,.0f");

    private final String title;
    private final String format;

    PeerMetric(String title, String format) {
        this.title = title;
        this.format = format;
    }

    String title() {
        return title;
    }

    String format(double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
