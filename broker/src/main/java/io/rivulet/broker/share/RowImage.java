package io.rivulet.broker.share;

import java.util.List;

/**
 * What the log says about a row: it begins at the start offset or later, and these runs are in these states. Immutable.
 */
record RowImage(int queueId, long startOffset, List<Part> parts) {
    /** The state of records side by side. Immutable. */
    record Part(long first, long last, byte state, int deliveries) {}
}
