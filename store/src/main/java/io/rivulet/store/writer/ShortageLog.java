package io.rivulet.store.writer;

import io.rivulet.store.failure.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs when appends are refused because the disk is full, and when they succeed again. Owned by: log-writer thread. */
final class ShortageLog {
    private static final Logger LOG = LoggerFactory.getLogger(ShortageLog.class);
    private static final int LINES_A_MINUTE = 4;

    private final LogLimit limit = LogLimit.aMinute(LINES_A_MINUTE);
    private boolean refusing;

    void refused(String why) {
        if (!refusing) {
            refusing = true;
            limit.log(more -> LOG.error("The disk is full, so clients' records are refused: {}{}", why, more));
        }
    }

    void written() {
        if (refusing) {
            refusing = false;
            limit.log(more -> LOG.info("The disk has space again, and records are stored{}", more));
        }
    }
}
