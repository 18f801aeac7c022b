package io.rivulet.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A transaction, and what its producer knows of its end. */
final class SentTransaction {
    enum Fate {
        /** Nobody has asked for its end. It will be aborted. */
        OPEN,
        /** A commit was asked for, without an answer. */
        MAY_BE_COMMITTED,
        COMMITTED,
        ABORTED
    }

    final String producer;
    final long number;
    final List<SentBatch> batches = new ArrayList<>();
    /** Offsets for the group of the producer, by partition. */
    final Map<Integer, Long> offsets = new TreeMap<>();

    Fate fate = Fate.OPEN;

    SentTransaction(String producer, long number) {
        this.producer = producer;
        this.number = number;
    }

    @Override
    public String toString() {
        return "transaction " + number + " of " + producer + " " + fate;
    }
}
