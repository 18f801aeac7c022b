package io.rivulet.bench.load;

import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/** Counts what loads have done so far. Thread-safe. */
public record Counters(LongAdder messages, LongAdder bytes, Recorder latencies) {
    public Counters() {
        this(new LongAdder(), new LongAdder(), Latency.recorder());
    }
}
