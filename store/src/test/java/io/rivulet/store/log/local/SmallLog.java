package io.rivulet.store.log.local;

import io.rivulet.store.log.LogFixture;

/** A log whose segments hold few groups. */
final class SmallLog {
    static final LocalLogConfig CONFIG =
            LocalLogConfig.DEFAULT.withLog(LogFixture.SMALL).withSegmentBytes(32 << 10);

    private SmallLog() {}
}
