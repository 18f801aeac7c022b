package io.rivulet.broker.metrics;

import io.rivulet.protocol.message.ApiKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many calls of each API there were, how long they took, and with which errors they ended. A call lasts from the
 * start of its handling until its answer is written to the socket, or until it ends without an answer.
 *
 * <p>Thread-safe. Memory: 2.5 KB for each API that clients use.
 */
public final class RequestTimes {
    private final LongSupplier nanoTime;
    /** By the ids of APIs. */
    private final AtomicReferenceArray<@Nullable ApiCalls> calls = new AtomicReferenceArray<>(1 + highestId());

    /** @param nanoTime the time, as {@link System#nanoTime} */
    public RequestTimes(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private static int highestId() {
        int highest = 0;
        for (ApiKey key : ApiKey.values()) {
            highest = Math.max(highest, key.id());
        }
        return highest;
    }

    /** The time at which a call starts, for {@link #ended}. */
    public long now() {
        return nanoTime.getAsLong();
    }

    public void ended(ApiKey key, long startedNanos) {
        of(key).ended(nanoTime.getAsLong() - startedNanos);
    }

    /** @param errorCode the error of the whole answer */
    public void failed(ApiKey key, short errorCode) {
        of(key).failed(errorCode);
    }

    private ApiCalls of(ApiKey key) {
        ApiCalls known = calls.getAcquire(key.id());
        return known == null ? add(key) : known;
    }

    private synchronized ApiCalls add(ApiKey key) {
        ApiCalls known = calls.get(key.id());
        if (known == null) {
            known = new ApiCalls(key == ApiKey.PRODUCE || key == ApiKey.FETCH ? new ClassicHistogram() : null);
            calls.setRelease(key.id(), known);
        }
        return known;
    }

    /** The calls of the API; null if there were none. */
    @Nullable
    ApiCalls find(ApiKey key) {
        return calls.getAcquire(key.id());
    }

    /** The calls of one API. */
    static final class ApiCalls {
        private final CallTimes times = new CallTimes();
        private final RecentTimes recent = new RecentTimes();
        private final @Nullable ClassicHistogram histogram;
        /** By error code, of which there are about 130. */
        private final ConcurrentHashMap<Short, AtomicLong> errors = new ConcurrentHashMap<>();

        ApiCalls(@Nullable ClassicHistogram histogram) {
            this.histogram = histogram;
        }

        void ended(long nanos) {
            times.add(nanos);
            if (histogram != null) {
                histogram.add(nanos);
            }
        }

        void failed(short errorCode) {
            errors.computeIfAbsent(errorCode, code -> new AtomicLong()).getAndIncrement();
        }

        CallTimes times() {
            return times;
        }

        RecentTimes recent() {
            return recent;
        }

        @Nullable
        ClassicHistogram histogram() {
            return histogram;
        }

        ConcurrentHashMap<Short, AtomicLong> errors() {
            return errors;
        }
    }
}
