package io.rivulet.broker.group.consumer;

import io.rivulet.broker.group.consumer.ConsumerMember.State;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.record.Varints;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Layout of the items in an entry about a group of the consumer protocol. Numbers are big-endian or {@link Varints}. A
 * text is its length, a varint, and the bytes in UTF-8; an optional text (text?) has its length plus 1, or 0 for none.
 * A set is encoded as in {@link QueueSet}.
 *
 * <pre>
 * item:    | type 1 | length 4 | value |
 *
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
    static final byte EPOCHS = 1;
    static final byte MEMBER = 2;
    static final byte CURRENT = 3;
    static final byte TARGET = 4;
    static final byte MEMBER_REMOVED = 5;

    private static final int ITEM_HEAD_BYTES = 1 + Integer.BYTES;
    private static final int VARINT_BYTES = 5;
    private static final int NUMBERS_BYTES = 40;

    private ConsumerEntryLayout() {}

    // ---- writing ----

    /** The items for the changes, flipped. */
    static ByteBuffer items(ConsumerGroup group, ChangedParts changes) {
        List<ByteBuffer> items = new ArrayList<>();
        if (changes.isGroupChanged()) {
            items.add(ByteBuffer.allocate(NUMBERS_BYTES)
                    .put(EPOCHS)
                    .putInt(2 * Integer.BYTES + 2 * Long.BYTES)
                    .putInt(group.target().groupEpoch())
                    .putInt(group.target().targetEpoch())
                    .putLong(group.target().eligibility())
                    .putLong(group.target().emptySinceMillis())
                    .flip());
        }
        for (Map.Entry<String, Integer> changed : changes.members().entrySet()) {
            ConsumerMember member = group.members().find(changed.getKey());
            if (member == null) {
                items.add(memberRemoved(changed.getKey()));
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
        return joined(items);
    }

    static ByteBuffer joined(List<ByteBuffer> items) {
        int length = 0;
        for (ByteBuffer item : items) {
            length += item.remaining();
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        items.forEach(all::put);
        return all.flip();
    }

    private static ByteBuffer memberRemoved(String memberId) {
        ByteBuffer item = newItem(MEMBER_REMOVED, textBytes(memberId));
        putText(item, memberId);
        return ended(item);
    }

    private static ByteBuffer newItem(byte type, int maxBytes) {
        return ByteBuffer.allocate(ITEM_HEAD_BYTES + maxBytes).put(type).putInt(0);
    }

    private static ByteBuffer ended(ByteBuffer item) {
        return item.putInt(1, item.position() - ITEM_HEAD_BYTES).flip();
    }

    private static ByteBuffer member(ConsumerMember member) {
        int length = NUMBERS_BYTES
                + textBytes(member.id)
                + textBytes(member.instanceId)
                + textBytes(member.rackId)
                + textBytes(member.clientId)
                + textBytes(member.clientHost)
                + textBytes(member.assignor)
                + textBytes(member.subscription.regex());
        for (String name : member.subscription.names()) {
            length += textBytes(name);
        }
        if (member.classic != null) {
            for (JoinGroupRequestProtocol protocol : member.classic.protocols()) {
                length += textBytes(protocol.name()) + VARINT_BYTES + protocol.metadata().length;
            }
        }
        ByteBuffer item = newItem(MEMBER, length);
        putText(item, member.id);
        putTextOrNull(item, member.instanceId);
        putTextOrNull(item, member.rackId);
        putText(item, member.clientId);
        putText(item, member.clientHost);
        item.putInt(member.rebalanceTimeoutMillis);
        putTextOrNull(item, member.assignor);
        putText(item, member.subscription.regex());
        Varints.putUnsigned(item, member.subscription.names().size());
        member.subscription.names().forEach(name -> putText(item, name));
        putClassic(item, member.classic);
        return ended(item);
    }

    private static void putClassic(ByteBuffer item, @Nullable ClassicMetadata classic) {
        item.put((byte) (classic == null ? 0 : 1));
        if (classic != null) {
            item.putInt(classic.sessionTimeoutMillis());
            Varints.putUnsigned(item, classic.protocols().size());
            for (JoinGroupRequestProtocol protocol : classic.protocols()) {
                putText(item, protocol.name());
                Varints.putUnsigned(item, protocol.metadata().length);
                item.put(protocol.metadata());
            }
        }
    }

    private static ByteBuffer current(ConsumerMember member) {
        ByteBuffer item = newItem(
                CURRENT,
                textBytes(member.id)
                        + NUMBERS_BYTES
                        + member.assigned.encodedBytes()
                        + member.revoking.encodedBytes()
                        + member.since.encodedBytes());
        putText(item, member.id);
        item.putInt(member.epoch).putInt(member.previousEpoch).put(member.state.number);
        member.assigned.encode(item);
        member.revoking.encode(item);
        member.since.encode(item);
        return ended(item);
    }

    private static ByteBuffer target(ConsumerMember member) {
        ByteBuffer item = newItem(TARGET, textBytes(member.id) + member.target.encodedBytes());
        putText(item, member.id);
        member.target.encode(item);
        return ended(item);
    }

    // ---- reading ----

    /** Reads one item with its header into an array of its own. */
    static byte[] takeItem(ByteBuffer items) {
        byte[] item = new byte[ITEM_HEAD_BYTES + items.getInt(items.position() + 1)];
        items.get(item);
        return item;
    }

    static byte typeOf(byte[] item) {
        return item[0];
    }

    /** The member id of any item except EPOCHS. */
    static String memberIdOf(byte[] item) {
        return takeText(value(item));
    }

    private static ByteBuffer value(byte[] item) {
        return ByteBuffer.wrap(item).position(ITEM_HEAD_BYTES);
    }

    static int groupEpochOf(byte[] item) {
        return value(item).getInt();
    }

    static int targetEpochOf(byte[] item) {
        return value(item).position(ITEM_HEAD_BYTES + Integer.BYTES).getInt();
    }

    static void readEpochs(byte[] item, ConsumerGroup group) {
        ByteBuffer value = value(item);
        group.target().restore(value.getInt(), value.getInt(), value.getLong(), value.getLong());
    }

    static ConsumerMember readMember(byte[] item) {
        ByteBuffer value = value(item);
        ConsumerMember member = new ConsumerMember(takeText(value));
        member.instanceId = takeTextOrNull(value);
        member.rackId = takeTextOrNull(value);
        member.clientId = takeText(value);
        member.clientHost = takeText(value);
        member.rebalanceTimeoutMillis = value.getInt();
        member.assignor = takeTextOrNull(value);
        String regex = takeText(value);
        List<String> names = new ArrayList<>();
        for (int left = Varints.takeUnsigned(value); left > 0; left--) {
            names.add(takeText(value));
        }
        member.subscription = Subscription.of(names, regex);
        member.classic = value.get() == 0 ? null : takeClassic(value);
        return member;
    }

    private static ClassicMetadata takeClassic(ByteBuffer value) {
        int sessionTimeoutMillis = value.getInt();
        List<JoinGroupRequestProtocol> protocols = new ArrayList<>();
        for (int left = Varints.takeUnsigned(value); left > 0; left--) {
            String name = takeText(value);
            byte[] metadata = new byte[Varints.takeUnsigned(value)];
            value.get(metadata);
            protocols.add(new JoinGroupRequestProtocol().name(name).metadata(metadata));
        }
        return new ClassicMetadata(sessionTimeoutMillis, List.copyOf(protocols));
    }

    static void readCurrent(byte[] item, ConsumerMember member) {
        ByteBuffer value = value(item);
        takeText(value);
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
        ByteBuffer value = value(item);
        takeText(value);
        member.target = QueueSet.decode(value);
    }

    // ---- texts ----

    private static int textBytes(@Nullable String text) {
        return VARINT_BYTES + (text == null ? 0 : 3 * text.length());
    }

    private static void putText(ByteBuffer out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Varints.putUnsigned(out, bytes.length);
        out.put(bytes);
    }

    private static void putTextOrNull(ByteBuffer out, @Nullable String text) {
        if (text == null) {
            Varints.putUnsigned(out, 0);
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Varints.putUnsigned(out, bytes.length + 1);
        out.put(bytes);
    }

    private static String takeText(ByteBuffer in) {
        return takeText(in, Varints.takeUnsigned(in));
    }

    private static @Nullable String takeTextOrNull(ByteBuffer in) {
        int length = Varints.takeUnsigned(in) - 1;
        return length < 0 ? null : takeText(in, length);
    }

    private static String takeText(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
