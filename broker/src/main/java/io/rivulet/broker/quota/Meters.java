package io.rivulet.broker.quota;

import org.jspecify.annotations.Nullable;

/** What one user or client has used of one kind. Thread-safe, guarded by its monitor. */
final class Meters {
    private @Nullable RateMeter rate;
    private @Nullable TokenBucket tokens;

    synchronized RateMeter rate(QuotaWindows windows) {
        RateMeter known = rate;
        if (known == null) {
            known = new RateMeter(windows);
            rate = known;
        }
        return known;
    }

    synchronized TokenBucket tokens(QuotaWindows windows) {
        TokenBucket known = tokens;
        if (known == null) {
            known = new TokenBucket(windows);
            tokens = known;
        }
        return known;
    }
}
