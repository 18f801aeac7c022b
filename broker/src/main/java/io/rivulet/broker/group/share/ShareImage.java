package io.rivulet.broker.group.share;

import io.rivulet.broker.group.base.GroupImage;
import io.rivulet.broker.group.consumer.QueueSet;
import java.nio.ByteBuffer;

/**
 * The state of a share group in the log. Members are not in it: after a restart, they join again.
 *
 * <pre>
 * | group epoch 4 | 0 if the queues are as before, otherwise 1 and the queues as in {@link QueueSet} |
 * </pre>
 *
 * The queues are those that members have subscribed to since the group exists.
 *
 * <p>Owned by: the coordinator thread; during the replay, the thread that opens the store.
 */
public final class ShareImage implements GroupImage {
    private static final int HEAD_BYTES = Integer.BYTES + 1;
    private static final int OVERHEAD_BYTES = 200;

    private int epoch;
    private QueueSet queues = QueueSet.EMPTY;

    int epoch() {
        return epoch;
    }

    QueueSet queues() {
        return queues;
    }

    /** An entry without the queues, which are as before. */
    static ByteBuffer entry(int epoch) {
        return ByteBuffer.allocate(HEAD_BYTES).putInt(epoch).put((byte) 0).flip();
    }

    static ByteBuffer entry(int epoch, QueueSet queues) {
        ByteBuffer entry = ByteBuffer.allocate(HEAD_BYTES + queues.encodedBytes())
                .putInt(epoch)
                .put((byte) 1);
        queues.encode(entry);
        return entry.flip();
    }

    @Override
    public void apply(ByteBuffer body) {
        epoch = body.getInt();
        if (body.get() != 0) {
            queues = QueueSet.decode(body);
        }
    }

    @Override
    public ByteBuffer bytes() {
        return entry(epoch, queues);
    }

    @Override
    public long heapBytes() {
        return OVERHEAD_BYTES + 2L * queues.encodedBytes();
    }
}
