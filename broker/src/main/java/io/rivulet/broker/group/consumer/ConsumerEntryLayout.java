package io.rivulet.broker.group.consumer;

import io.rivulet.broker.group.base.ChangedParts;
import io.rivulet.broker.group.base.Items;
import io.rivulet.broker.group.consumer.ConsumerMember.State;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.record.Varints;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Layout of the {@link Items} in an entry about a group of the consumer protocol. Numbers are big-endian or {@link
 * Varints}. A set is encoded as in {@link QueueSet}.
 *
 * <pre>
 * EPOCHS   | 1 | group epoch 4 | target epoch 4 | eligibility 8 | empty since millis 8 |
 * MEMBER   | 2 | member id text | instance id text? | rack id text? | client id text | client host text
 *              | rebalance timeout 4 | assignor text? | regex text | varint names, each a text
 *              | 0, or 1 | session timeout 4 | varint protocols, each: name text, varint length, metadata |
 * CURRENT  | 3 | member id text | epoch 4 | previous epoch 4 | state 1 | assigned set | revoking set
 *              | the epochs of the two sets, as in {@link AssignmentEpochs}; older builds do not write them |
 * TARGET   | 4 | member id text | target set |
 * MEMBER_REMOVED | 5 | member id text |
 * </pre>
 *
 * <p>A member with one topic takes about 150 bytes, most of them for texts, and 2 to 10 for each range of queues.
 *
 * <p>Crash policy: entries are durable and checksummed with their group of the log. Items hold values, so to apply one
 * twice changes nothing, and a snapshot may be taken while they change.
 */
public final class ConsumerEntryLayout {
    private static final int NUMBERS_BYTES = 40;

    private ConsumerEntryLayout() {}

    // ---- writing ----

    /** The items for the changes, flipped. */
    static ByteBuffer items(ConsumerGroup group, ChangedParts changes) {
        List<ByteBuffer> items = new ArrayList<>();
        if (changes.isGroupChanged(ChangedParts.EPOCHS)) {
            items.add(Items.ended(Items.newItem(Items.EPOCHS, NUMBERS_BYTES)
                    .putInt(group.target().groupEpoch())
                    .putInt(group.target().targetEpoch())
                    .putLong(group.target().eligibility())
                    .putLong(group.target().emptySinceMillis())));
        }
        for (Map.Entry<String, Integer> changed : changes.members().entrySet()) {
            ConsumerMember member = group.members().find(changed.getKey());
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

    private static ByteBuffer member(ConsumerMember member) {
        int length = NUMBERS_BYTES
                + Items.textBytes(member.id)
                + Items.textBytes(member.instanceId)
                + Items.textBytes(member.rackId)
                + Items.textBytes(member.clientId)
                + Items.textBytes(member.clientHost)
                + Items.textBytes(member.assignor)
                + Items.textBytes(member.subscription.regex());
        for (String name : member.subscription.names()) {
            length += Items.textBytes(name);
        }
        if (member.classic != null) {
            for (JoinGroupRequestProtocol protocol : member.classic.protocols()) {
                length += Items.textBytes(protocol.name()) + Items.VARINT_BYTES + protocol.metadata().length;
            }
        }
        ByteBuffer item = Items.newItem(Items.MEMBER, length);
        Items.putText(item, member.id);
        Items.putTextOrNull(item, member.instanceId);
        Items.putTextOrNull(item, member.rackId);
        Items.putText(item, member.clientId);
        Items.putText(item, member.clientHost);
        item.putInt(member.rebalanceTimeoutMillis);
        Items.putTextOrNull(item, member.assignor);
        Items.putText(item, member.subscription.regex());
        Varints.putUnsigned(item, member.subscription.names().size());
        member.subscription.names().forEach(name -> Items.putText(item, name));
        putClassic(item, member.classic);
        return Items.ended(item);
    }

    private static void putClassic(ByteBuffer item, @Nullable ClassicMetadata classic) {
        item.put((byte) (classic == null ? 0 : 1));
        if (classic != null) {
            item.putInt(classic.sessionTimeoutMillis());
            Varints.putUnsigned(item, classic.protocols().size());
            for (JoinGroupRequestProtocol protocol : classic.protocols()) {
                Items.putText(item, protocol.name());
                Varints.putUnsigned(item, protocol.metadata().length);
                item.put(protocol.metadata());
            }
        }
    }

    private static ByteBuffer current(ConsumerMember member) {
        ByteBuffer item = Items.newItem(
                Items.CURRENT,
                Items.textBytes(member.id)
                        + NUMBERS_BYTES
                        + member.assigned.encodedBytes()
                        + member.revoking.encodedBytes()
                        + member.since.encodedBytes());
        Items.putText(item, member.id);
        item.putInt(member.epoch).putInt(member.previousEpoch).put(member.state.number);
        member.assigned.encode(item);
        member.revoking.encode(item);
        member.since.encode(item);
        return Items.ended(item);
    }

    private static ByteBuffer target(ConsumerMember member) {
        ByteBuffer item = Items.newItem(Items.TARGET, Items.textBytes(member.id) + member.target.encodedBytes());
        Items.putText(item, member.id);
        member.target.encode(item);
        return Items.ended(item);
    }

    // ---- reading ----

    static int groupEpochOf(byte[] item) {
        return Items.value(item).getInt();
    }

    static int targetEpochOf(byte[] item) {
        ByteBuffer value = Items.value(item);
        return value.getInt(value.position() + Integer.BYTES);
    }

    static void readEpochs(byte[] item, ConsumerGroup group) {
        ByteBuffer value = Items.value(item);
        group.target().restore(value.getInt(), value.getInt(), value.getLong(), value.getLong());
    }

    static ConsumerMember readMember(byte[] item) {
        ByteBuffer value = Items.value(item);
        ConsumerMember member = new ConsumerMember(Items.takeText(value));
        member.instanceId = Items.takeTextOrNull(value);
        member.rackId = Items.takeTextOrNull(value);
        member.clientId = Items.takeText(value);
        member.clientHost = Items.takeText(value);
        member.rebalanceTimeoutMillis = value.getInt();
        member.assignor = Items.takeTextOrNull(value);
        String regex = Items.takeText(value);
        List<String> names = new ArrayList<>();
        for (int left = Varints.takeUnsigned(value); left > 0; left--) {
            names.add(Items.takeText(value));
        }
        member.subscription = Subscription.of(names, regex);
        member.classic = value.get() == 0 ? null : takeClassic(value);
        return member;
    }

    private static ClassicMetadata takeClassic(ByteBuffer value) {
        int sessionTimeoutMillis = value.getInt();
        List<JoinGroupRequestProtocol> protocols = new ArrayList<>();
        for (int left = Varints.takeUnsigned(value); left > 0; left--) {
            String name = Items.takeText(value);
            byte[] metadata = new byte[Varints.takeUnsigned(value)];
            value.get(metadata);
            protocols.add(new JoinGroupRequestProtocol().name(name).metadata(metadata));
        }
        return new ClassicMetadata(sessionTimeoutMillis, List.copyOf(protocols));
    }

    static void readCurrent(byte[] item, ConsumerMember member) {
        ByteBuffer value = Items.value(item);
        Items.takeText(value);
        member.epoch = value.getInt();
        member.previousEpoch = value.getInt();
        member.state = State.numbered(value.get());
        member.assigned = QueueSet.decode(value);
        member.revoking = QueueSet.decode(value);
        member.since = value.hasRemaining()
                ? AssignmentEpochs.decode(value)
                : AssignmentEpochs.of(member.owned(), member.epoch);
    }

    static void readTarget(byte[] item, ConsumerMember member) {
        ByteBuffer value = Items.value(item);
        Items.takeText(value);
        member.target = QueueSet.decode(value);
    }
}
