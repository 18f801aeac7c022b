package io.rivulet.broker.group.streams;

import io.rivulet.broker.group.base.ItemImage;

/**
 * The state of a group of the streams protocol in the log, in the items of {@link StreamsEntryLayout}.
 *
 * <p>Owned by: the coordinator thread; during the replay, the thread that opens the store.
 */
public final class StreamsImage extends ItemImage {
    /** Restores the group. */
    void restore(StreamsGroup group) {
        byte[] epochs = epochs();
        if (epochs != null) {
            StreamsEntryLayout.readEpochs(epochs, group);
        }
        byte[] topology = topology();
        if (topology != null) {
            group.restore(StreamsEntryLayout.readTopology(topology));
        }
        forEachMember((head, current, target) -> {
            StreamsMember member = StreamsEntryLayout.readMember(head);
            if (current != null) {
                StreamsEntryLayout.readCurrent(current, member);
            }
            if (target != null) {
                StreamsEntryLayout.readTarget(target, member);
            }
            group.members().put(member);
        });
    }
}
