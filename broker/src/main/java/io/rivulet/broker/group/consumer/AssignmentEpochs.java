package io.rivulet.broker.group.consumer;

import io.rivulet.protocol.record.Varints;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The epochs in which a member got its queues. The member may commit an offset of a queue with any epoch since then:
 * a response with a new epoch may be on its way, or a commit with the epoch before.
 *
 * <p>There are few different epochs. If there are too many, the oldest count as the newest of them. So a very late
 * commit may be refused, and none is accepted wrongly.
 *
 * <pre>
 * encoded: varint number of epochs | for each, in ascending order: epoch 4, set as in {@link QueueSet}
 * </pre>
 *
 * <p>Immutable.
 */
final class AssignmentEpochs {
    static final AssignmentEpochs NONE = new AssignmentEpochs(List.of());

    private static final int MAX_EPOCHS = 16;
    private static final int COUNT_BYTES = 5;

    private record Since(int epoch, QueueSet queues) {}

    /** In ascending order of epochs. */
    private final List<Since> all;

    private AssignmentEpochs(List<Since> all) {
        this.all = all;
    }

    /** All queues are assigned in this epoch. */
    static AssignmentEpochs of(QueueSet queues, int epoch) {
        return queues.isEmpty() ? NONE : new AssignmentEpochs(List.of(new Since(epoch, queues)));
    }

    /**
     * The epochs after a change.
     *
     * @param kept queues that keep their epochs, if they have any
     * @param present all queues that the member has after the change; the others get the epoch
     */
    AssignmentEpochs changed(QueueSet kept, QueueSet present, int epoch) {
        List<Since> after = new ArrayList<>(all.size() + 1);
        QueueSet added = present;
        for (Since since : all) {
            QueueSet still = since.queues.intersect(kept).intersect(present);
            add(after, since.epoch, still);
            added = added.minus(still);
        }
        add(after, epoch, added);
        if (after.size() > MAX_EPOCHS) {
            Since oldest = after.remove(0);
            Since next = after.get(0);
            after.set(0, new Since(next.epoch, next.queues.union(oldest.queues)));
        }
        return new AssignmentEpochs(List.copyOf(after));
    }

    private static void add(List<Since> to, int epoch, QueueSet queues) {
        if (queues.isEmpty()) {
            return;
        }
        int last = to.size() - 1;
        if (last >= 0 && to.get(last).epoch >= epoch) {
            to.set(last, new Since(to.get(last).epoch, to.get(last).queues.union(queues)));
        } else {
            to.add(new Since(epoch, queues));
        }
    }

    /** Whether the member had the queue in the epoch, and has it since then. */
    boolean hasSince(int queueId, int epoch) {
        for (Since since : all) {
            if (since.epoch <= epoch && since.queues.contains(queueId)) {
                return true;
            }
        }
        return false;
    }

    /** The epoch in which the member got the queue; -1 if it does not have it. */
    int epochOf(int queueId) {
        for (Since since : all) {
            if (since.queues.contains(queueId)) {
                return since.epoch;
            }
        }
        return -1;
    }

    // ---- bytes ----

    /** An upper bound of the encoded length. */
    int encodedBytes() {
        int bytes = COUNT_BYTES;
        for (Since since : all) {
            bytes += Integer.BYTES + since.queues.encodedBytes();
        }
        return bytes;
    }

    void encode(ByteBuffer out) {
        Varints.putUnsigned(out, all.size());
        for (Since since : all) {
            out.putInt(since.epoch);
            since.queues.encode(out);
        }
    }

    static AssignmentEpochs decode(ByteBuffer in) {
        List<Since> all = new ArrayList<>();
        for (int left = Varints.takeUnsigned(in); left > 0; left--) {
            all.add(new Since(in.getInt(), QueueSet.decode(in)));
        }
        return new AssignmentEpochs(List.copyOf(all));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AssignmentEpochs that && all.equals(that.all);
    }

    @Override
    public int hashCode() {
        return all.hashCode();
    }
}
