package io.rivulet.broker.api.group;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.protocol.wire.Message;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers of group APIs. A long answer is encoded on a read thread, and is counted until it is written. Thread-safe.
 */
final class GroupAnswers {
    private static final int SHORT_BYTES = 64 << 10;

    private final LongAnswers longAnswers;
    private final long maxUnwrittenBytes;
    private final AtomicLong unwrittenBytes = new AtomicLong();

    /** @param maxUnwrittenBytes beyond this limit, JoinGroup and SyncGroup are refused */
    GroupAnswers(LongAnswers longAnswers, long maxUnwrittenBytes) {
        this.longAnswers = longAnswers;
        this.maxUnwrittenBytes = maxUnwrittenBytes;
    }

    /** Whether to refuse requests whose answer may contain all members. */
    boolean isFull() {
        return unwrittenBytes.get() > maxUnwrittenBytes;
    }

    void answer(Call call, Message message) {
        int bytes = message.sizeInBytes(call.version());
        if (bytes >= 0 && bytes <= SHORT_BYTES) {
            call.answer(message);
            return;
        }
        long counted = Math.max(bytes, SHORT_BYTES);
        unwrittenBytes.addAndGet(counted);
        longAnswers.answer(call, message, () -> unwrittenBytes.addAndGet(-counted));
    }
}
