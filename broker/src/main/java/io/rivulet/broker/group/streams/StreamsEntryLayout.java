package io.rivulet.broker.group.streams;

import io.rivulet.broker.group.base.ChangedParts;
import io.rivulet.broker.group.base.Items;
import io.rivulet.broker.group.streams.StreamsMember.Endpoint;
import io.rivulet.broker.group.streams.StreamsMember.State;
import io.rivulet.protocol.record.Varints;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Layout of the {@link Items} in an entry about a group of the streams protocol. Numbers are big-endian or {@link
 * Varints}. A set is encoded as in {@link TaskSet}.
 *
 * <pre>
 * EPOCHS   | 1 | group epoch 4 | target epoch 4 | hash of the topics 8 | validated topology epoch 4 | standbys 4
 *              | empty since millis 8 |
 * MEMBER   | 2 | member id text | rack id text? | client id text | client host text | rebalance timeout 4
 *              | topology epoch 4 | process id text | host of the endpoint text? | its port 4
 *              | varint client tags, each: key text, value text |
 * CURRENT  | 3 | member id text | epoch 4 | previous epoch 4 | state 1
 *              | sets: assigned active, assigned standby, revoking active, revoking standby
 *              | the epochs of the active tasks, as in {@link TaskEpochs} |
 * TARGET   | 4 | member id text | sets: active, standby |
 * MEMBER_REMOVED | 5 | member id text |
 * TOPOLOGY | 6 | as in {@link TopologyLayout} |
 * </pre>
 *
 * <p>Crash policy: entries are durable and checksummed with their group of the log. Items hold values, so to apply one
 * twice changes nothing, and a snapshot may be taken while they change.
 */
final class StreamsEntryLayout {
    private static final int NUMBERS_BYTES = 40;

    private StreamsEntryLayout() {}

    // ---- writing ----

    /** The items for the changes, flipped. */
    static ByteBuffer items(StreamsGroup group, ChangedParts changes) {
        List<ByteBuffer> items = new ArrayList<>();
        if (changes.isGroupChanged(ChangedParts.EPOCHS)) {
            items.add(Items.ended(Items.newItem(Items.EPOCHS, NUMBERS_BYTES)
                    .putInt(group.target().groupEpoch())
                    .putInt(group.target().targetEpoch())
                    .putLong(group.target().topicsHash())
                    .putInt(group.target().validatedTopologyEpoch())
                    .putInt(group.target().standbys())
                    .putLong(group.target().emptySinceMillis())));
        }
        Topology topology = group.topology();
        if (changes.isGroupChanged(ChangedParts.TOPOLOGY) && topology != null) {
            ByteBuffer item = Items.newItem(Items.TOPOLOGY, TopologyLayout.bytes(topology));
            TopologyLayout.put(item, topology);
            items.add(Items.ended(item));
        }
        for (Map.Entry<String, Integer> changed : changes.members().entrySet()) {
            StreamsMember member = group.members().find(changed.getKey());
            if (member == null) {
                items.add(Items.memberRemoved(changed.getKey()));
                continue;
            }
            int parts = changed.getValue();
            if ((parts & ChangedParts.MEMBER) != 0) {
                items.add(member(member));
            }
            if ((parts & ChangedParts.CURRENT) != 0) {
                items.add(current(member));
            }
            if ((parts & ChangedParts.TARGET) != 0) {
                items.add(target(member));
            }
        }
        return Items.joined(items);
    }

    private static ByteBuffer member(StreamsMember member) {
        Endpoint endpoint = member.endpoint;
        String host = endpoint == null ? null : endpoint.host();
        int length = NUMBERS_BYTES
                + Items.textBytes(member.id)
                + Items.textBytes(member.rackId)
                + Items.textBytes(member.clientId)
                + Items.textBytes(member.clientHost)
                + Items.textBytes(member.processId)
                + Items.textBytes(host);
        for (Map.Entry<String, String> tag : member.clientTags.entrySet()) {
            length += Items.textBytes(tag.getKey()) + Items.textBytes(tag.getValue());
        }
        ByteBuffer item = Items.newItem(Items.MEMBER, length);
        Items.putText(item, member.id);
        Items.putTextOrNull(item, member.rackId);
        Items.putText(item, member.clientId);
        Items.putText(item, member.clientHost);
        item.putInt(member.rebalanceTimeoutMillis).putInt(member.topologyEpoch);
        Items.putText(item, member.processId);
        Items.putTextOrNull(item, host);
        item.putInt(endpoint == null ? 0 : endpoint.port());
        Varints.putUnsigned(item, member.clientTags.size());
        member.clientTags.forEach((key, value) -> {
            Items.putText(item, key);
            Items.putText(item, value);
        });
        return Items.ended(item);
    }

    private static ByteBuffer current(StreamsMember member) {
        List<TaskSet> sets = List.of(
                member.assigned.active(),
                member.assigned.standby(),
                member.revoking.active(),
                member.revoking.standby());
        int length = Items.textBytes(member.id) + NUMBERS_BYTES + bytes(sets) + member.since.encodedBytes();
        ByteBuffer item = Items.newItem(Items.CURRENT, length);
        Items.putText(item, member.id);
        item.putInt(member.epoch).putInt(member.previousEpoch).put(member.state.number);
        sets.forEach(set -> set.encode(item));
        member.since.encode(item);
        return Items.ended(item);
    }

    private static ByteBuffer target(StreamsMember member) {
        List<TaskSet> sets = List.of(member.target.active(), member.target.standby());
        ByteBuffer item = Items.newItem(Items.TARGET, Items.textBytes(member.id) + bytes(sets));
        Items.putText(item, member.id);
        sets.forEach(set -> set.encode(item));
        return Items.ended(item);
    }

    private static int bytes(List<TaskSet> sets) {
        int bytes = 0;
        for (TaskSet set : sets) {
            bytes += set.encodedBytes();
        }
        return bytes;
    }

    // ---- reading ----

    static void readEpochs(byte[] item, StreamsGroup group) {
        ByteBuffer value = Items.value(item);
        group.target()
                .restore(
                        value.getInt(),
                        value.getInt(),
                        value.getLong(),
                        value.getInt(),
                        value.getInt(),
                        value.getLong());
    }

    static Topology readTopology(byte[] item) {
        return TopologyLayout.take(Items.value(item));
    }

    static StreamsMember readMember(byte[] item) {
        ByteBuffer value = Items.value(item);
        StreamsMember member = new StreamsMember(Items.takeText(value));
        member.rackId = Items.takeTextOrNull(value);
        member.clientId = Items.takeText(value);
        member.clientHost = Items.takeText(value);
        member.rebalanceTimeoutMillis = value.getInt();
        member.topologyEpoch = value.getInt();
        member.processId = Items.takeText(value);
        String host = Items.takeTextOrNull(value);
        int port = value.getInt();
        member.endpoint = host == null ? null : new Endpoint(host, port);
        Map<String, String> tags = new TreeMap<>();
        for (int left = Varints.takeUnsigned(value); left > 0; left--) {
            tags.put(Items.takeText(value), Items.takeText(value));
        }
        member.clientTags = tags;
        return member;
    }

    static void readCurrent(byte[] item, StreamsMember member) {
        ByteBuffer value = Items.value(item);
        Items.takeText(value);
        member.epoch = value.getInt();
        member.previousEpoch = value.getInt();
        member.state = State.numbered(value.get());
        member.assigned = takeTasks(value);
        member.revoking = takeTasks(value);
        member.since = TaskEpochs.decode(value);
    }

    static void readTarget(byte[] item, StreamsMember member) {
        ByteBuffer value = Items.value(item);
        Items.takeText(value);
        member.target = takeTasks(value);
    }

    private static Tasks takeTasks(ByteBuffer value) {
        return new Tasks(TaskSet.decode(value), TaskSet.decode(value));
    }
}
