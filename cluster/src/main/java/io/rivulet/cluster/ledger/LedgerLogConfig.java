package io.rivulet.cluster.ledger;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When a log goes on in another ledger. Immutable.
 *
 * @param ledgerBytes a ledger with so many bytes is replaced
 * @param ledgerNanos and one that is so old, if it has groups: then old groups can be trimmed
 * @param clockNanos never goes back
 * @param isShared whether stores of several directories open it
 */
public record LedgerLogConfig(long ledgerBytes, long ledgerNanos, LongSupplier clockNanos, boolean isShared) {
    public static final LedgerLogConfig DEFAULT =
            new LedgerLogConfig(256 << 20, TimeUnit.MINUTES.toNanos(10), System::nanoTime, false);

    public LedgerLogConfig withLedgerBytes(long bytes) {
        return new LedgerLogConfig(bytes, ledgerNanos, clockNanos, isShared);
    }

    public LedgerLogConfig shared() {
        return new LedgerLogConfig(ledgerBytes, ledgerNanos, clockNanos, true);
    }
}
