package io.rivulet.cluster.shard;

import java.util.ArrayList;
import java.util.List;

/**
 * The ledgers of a shard, without what is in them: only how much. An append is there, or it is refused because its
 * ledger is fenced.
 */
final class SimulatedLog {
    /** A ledger. */
    static final class Ledger {
        boolean isFenced;
        long length;
    }

    private final List<Ledger> ledgers = new ArrayList<>();
    /** Appends that clients know of. */
    long acknowledged;

    int create() {
        ledgers.add(new Ledger());
        return ledgers.size() - 1;
    }

    Ledger ledger(int id) {
        return ledgers.get(id);
    }
}
