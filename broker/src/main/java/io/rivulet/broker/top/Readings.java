package io.rivulet.broker.top;

import io.rivulet.broker.client.ClientException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the page, and compares it with the reading before. Owned by: one thread. */
final class Readings {
    private final MetricsPage page;
    private @Nullable Reading last;

    Readings(MetricsPage page) {
        this.page = page;
    }

    /** @throws ClientException if there is no page, or another one */
    void first() {
        last = read();
    }

    /**
     * What has happened since the last reading that succeeded.
     *
     * @throws ClientException if there is no page, or another one
     */
    Frame next(Rates.Sort sort) {
        Reading now = read();
        Frame frame = Rates.between(Objects.requireNonNull(last), now, sort);
        last = now;
        return frame;
    }

    private Reading read() {
        Reading reading = new Reading(System.nanoTime());
        page.read(reading::add);
        if (!reading.isOfRivulet()) {
            throw page.noMetrics("the page has none of its series");
        }
        return reading;
    }
}
