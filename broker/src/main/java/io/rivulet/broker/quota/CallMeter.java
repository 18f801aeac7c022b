package io.rivulet.broker.quota;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.ApiKey;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What one call uses of the quotas of its client. It is settled once, when the answer is known: then it says for how
 * long the client must wait. Time that the call takes after that counts for the next call.
 *
 * <p>Settled by the thread that has the call. Time is added by any thread.
 */
public final class CallMeter {
    private final ClientQuotas quotas;
    private final String user;
    private final String clientId;
    private final int requestBytes;
    private final AtomicLong nanos = new AtomicLong();
    private volatile boolean settled;
    private volatile QuotaKind exceeded = QuotaKind.REQUEST_PERCENTAGE;
    private volatile long waitMillis;
    /** When the wait for mutations is over. */
    private volatile long mutationsWaitUntilNanos;

    private volatile boolean mutationsWait;

    CallMeter(ClientQuotas quotas, String user, String clientId, int requestBytes) {
        this.quotas = quotas;
        this.user = user;
        this.clientId = clientId;
        this.requestBytes = requestBytes;
    }

    /** Runs work for the call and adds the time that it takes. */
    public static void run(@Nullable CallMeter meter, Runnable work) {
        if (meter == null) {
            work.run();
            return;
        }
        long before = System.nanoTime();
        try {
            work.run();
        } finally {
            meter.worked(System.nanoTime() - before);
        }
    }

    /** Adds time of a thread. */
    public void worked(long moreNanos) {
        if (settled) {
            quotas.useLater(QuotaKind.REQUEST_PERCENTAGE, user, clientId, ClientQuotas.percent(moreNanos));
        } else {
            nanos.addAndGet(moreNanos);
        }
    }

    /** The limit of a fetch: more bytes than this would exceed the quota whatever was fetched before. */
    public int fetchLimit(int maxBytes) {
        return (int) Math.min(maxBytes, quotas.mostInWindows(QuotaKind.CONSUMER_BYTE_RATE, user, clientId));
    }

    /** Settles a fetch. True if the client must wait; then the answer must be empty, and its bytes do not count. */
    public boolean exceedsWith(int answerBytes) {
        exceed(QuotaKind.CONSUMER_BYTE_RATE, quotas.use(QuotaKind.CONSUMER_BYTE_RATE, user, clientId, answerBytes));
        settleTime();
        if (waitMillis > 0) {
            quotas.useLater(QuotaKind.CONSUMER_BYTE_RATE, user, clientId, -answerBytes);
        }
        settled();
        return waitMillis > 0;
    }

    /**
     * Counts partitions that are created or deleted.
     *
     * @param strict whether the client knows the error
     * @throws RefusedException if it does, and has no tokens left
     */
    public void mutate(int partitions, boolean strict) {
        long millis = quotas.mutate(user, clientId, partitions, strict);
        if (millis > 0) {
            mutationsWaitUntilNanos = quotas.nowNanos() + 1_000_000 * Math.min(millis, Integer.MAX_VALUE);
            mutationsWait = true;
            if (strict) {
                throw new RefusedException(
                        ErrorCode.THROTTLING_QUOTA_EXCEEDED, "The throttling quota has been exceeded.");
            }
        }
    }

    /** Settles the call, unless that is done. */
    public void settle(ApiKey key, boolean hasAnswer) {
        if (!settled) {
            if (key == ApiKey.PRODUCE) {
                exceed(
                        QuotaKind.PRODUCER_BYTE_RATE,
                        quotas.use(QuotaKind.PRODUCER_BYTE_RATE, user, clientId, requestBytes));
            }
            if (mutationsWait) {
                exceed(
                        QuotaKind.CONTROLLER_MUTATION_RATE,
                        Math.max(0, (mutationsWaitUntilNanos - quotas.nowNanos()) / 1_000_000));
            }
            if (hasAnswer) {
                settleTime();
            }
            settled();
        }
    }

    private void settleTime() {
        long wait = quotas.use(QuotaKind.REQUEST_PERCENTAGE, user, clientId, ClientQuotas.percent(nanos.getAndSet(0)));
        exceed(QuotaKind.REQUEST_PERCENTAGE, Math.min(wait, quotas.longestWorkMillis()));
    }

    private void exceed(QuotaKind kind, long millis) {
        if (millis > waitMillis) {
            waitMillis = Math.min(millis, Integer.MAX_VALUE);
            exceeded = kind;
        }
    }

    private void settled() {
        settled = true;
        if (waitMillis > 0) {
            quotas.throttled(exceeded, waitMillis);
        }
    }

    /** For how long the client must wait; 0 if it must not. */
    public long waitMillis() {
        return waitMillis;
    }
}
