package io.rivulet.broker.producer;

import org.jspecify.annotations.Nullable;

/** Gates for tests. */
final class TestGates {
    /** Knows no transactions, and admits every batch. */
    static final TransactionGate NO_TRANSACTIONS = new TransactionGate() {
        @Override
        public @Nullable BatchRefusal check(int queueId, long producerId, short epoch, boolean addsItself) {
            return null;
        }

        @Override
        public void written(long groupTimestamp, int queueId, long producerId, short epoch, long baseOffset) {}

        @Override
        public void ended(int queueId, long producerId, long markerOffset, boolean committed) {}
    };

    private TestGates() {}
}
