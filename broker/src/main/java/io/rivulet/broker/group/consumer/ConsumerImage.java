package io.rivulet.broker.group.consumer;

import io.rivulet.broker.group.base.ItemImage;

/**
 * The state of a group of the consumer protocol in the log, in the items of {@link ConsumerEntryLayout}.
 *
 * <p>Owned by: the coordinator thread; during the replay, the thread that opens the store.
 */
public final class ConsumerImage extends ItemImage {
    /** Restores the group. */
    void restore(ConsumerGroup group) {
        byte[] epochs = epochs();
        if (epochs != null) {
            ConsumerEntryLayout.readEpochs(epochs, group);
        }
        forEachMember((head, current, target) -> {
            ConsumerMember member = ConsumerEntryLayout.readMember(head);
            if (current != null) {
                ConsumerEntryLayout.readCurrent(current, member);
            }
            if (target != null) {
                ConsumerEntryLayout.readTarget(target, member);
            }
            group.restore(member);
        });
    }
}
