package io.rivulet.store.huge;

import java.io.IOException;

/** Nothing refers to the batch any more: its queue was deleted or trimmed, or compaction has removed it. */
public final class RemovedException extends IOException {
    private static final long serialVersionUID = 1L;

    RemovedException(long number) {
        super("the huge batch " + number + " has been removed");
    }
}
