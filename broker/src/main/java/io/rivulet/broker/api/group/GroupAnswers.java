package io.rivulet.broker.api.group;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.protocol.wire.Message;
import java.util.concurrent.atomic.AtomicLong;

/** Answers about groups. A long one is encoded on a read thread, and counts until it is written. Thread-safe. */
final class GroupAnswers {
    private static final int SHORT_BYTES = 64 << 10;

    private final LongAnswers longAnswers;
    private final long maxUnwrittenBytes;
    private final AtomicLong unwrittenBytes = new AtomicLong();

    /** @param maxUnwrittenBytes beyond that, requests of members that join are refused */
    GroupAnswers(LongAnswers longAnswers, long maxUnwrittenBytes) {
        this.longAnswers = longAnswers;
        this.maxUnwrittenBytes = maxUnwrittenBytes;
    }

    /** Whether no request whose answer may have all members should be taken now. */
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
