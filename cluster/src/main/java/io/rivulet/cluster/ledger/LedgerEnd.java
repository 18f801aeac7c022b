package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Ledger;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.LogGroupLayout;
import java.io.IOException;

/**
 * Finds the end of the last whole group in a ledger that has ended. A writer that was fenced may have left the first
 * entries of a group. Such a group was never acknowledged, and nobody ever sees it.
 */
final class LedgerEnd {
    private static final int MAX_GROUP_ENTRIES = LogGroupLayout.MAX_GROUP_BYTES / Ledger.MAX_ENTRY_BYTES;

    private LedgerEnd() {}

    /** Looks at the last entries only: after the last whole group there are fewer than a group can have. */
    static long find(LogLedger ledger, long storeId) throws IOException {
        long count = ledger.ledger().entryCount();
        GroupWalk walk = new GroupWalk(ledger, storeId);
        long reachesBack = 2L * MAX_GROUP_ENTRIES - 1;
        for (long entryId = count - 1; entryId >= Math.max(0, count - reachesBack); entryId--) {
            walk.seek(entryId);
            if (walk.next()) {
                return walk.endLsn();
            }
        }
        if (count >= reachesBack) {
            throw new DamagedLogException(ledger.name(), count, "no whole group ends here");
        }
        return ledger.firstLsn();
    }
}
