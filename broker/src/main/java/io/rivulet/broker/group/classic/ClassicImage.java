package io.rivulet.broker.group.classic;

import io.rivulet.broker.coordinator.EntryText;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.wire.Empty;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The image of a classic group in the log. It is stored when all members have their assignments, or when none are left.
 *
 * <pre>
 * | 1 | since when millis 8 | generation 4 | protocol type text | protocol text | leader text | count 4 |
 *   for each member: id text, instance id text, client id text, client host text, session timeout 4,
 *   rebalance timeout 4, metadata length 4, metadata, assignment length 4, assignment |
 * </pre>
 *
 * Texts as in {@link EntryText}. Only the chosen one of a member's protocols is kept. Immutable.
 */
record ClassicImage(
        long sinceMillis,
        int generation,
        String protocolType,
        @Nullable String protocol,
        @Nullable String leader,
        List<ClassicMember> members) {
    /** The first byte of the image. */
    private static final byte KIND = 1;

    private static final int FIXED_BYTES = 1 + Long.BYTES + 2 * Integer.BYTES;
    private static final int MEMBER_BYTES = 4 * Integer.BYTES;

    /** @param assignments by member id; a member that is not in it has an empty one */
    ByteBuffer encoded(Map<String, byte[]> assignments) {
        ByteBuffer image = ByteBuffer.allocate(sizeInBytes(assignments));
        image.put(KIND).putLong(sinceMillis).putInt(generation);
        EntryText.put(image, protocolType);
        EntryText.put(image, protocol);
        EntryText.put(image, leader);
        image.putInt(members.size());
        for (ClassicMember member : members) {
            EntryText.put(image, member.id);
            EntryText.put(image, member.instanceId);
            EntryText.put(image, member.clientId);
            EntryText.put(image, member.clientHost);
            image.putInt(member.sessionTimeoutMillis).putInt(member.rebalanceTimeoutMillis);
            putBytes(image, member.metadata(protocol));
            putBytes(image, assignments.getOrDefault(member.id, Empty.BYTES));
        }
        return image.flip();
    }

    private int sizeInBytes(Map<String, byte[]> assignments) {
        int size = FIXED_BYTES
                + EntryText.maxBytes(protocolType)
                + EntryText.maxBytes(protocol)
                + EntryText.maxBytes(leader);
        for (ClassicMember member : members) {
            byte[] assignment = assignments.get(member.id);
            size += MEMBER_BYTES
                    + EntryText.maxBytes(member.id)
                    + EntryText.maxBytes(member.instanceId)
                    + EntryText.maxBytes(member.clientId)
                    + EntryText.maxBytes(member.clientHost)
                    + member.metadata(protocol).length
                    + (assignment == null ? 0 : assignment.length);
        }
        return size;
    }

    private static void putBytes(ByteBuffer image, byte[] bytes) {
        image.putInt(bytes.length).put(bytes);
    }

    static ClassicImage decoded(ByteBuffer image) {
        byte kind = image.get();
        if (kind != KIND) {
            throw new IllegalStateException("unknown kind of the image of a classic group: " + kind);
        }
        long sinceMillis = image.getLong();
        int generation = image.getInt();
        String protocolType = EntryText.take(image);
        String protocol = EntryText.takeOrNull(image);
        String leader = EntryText.takeOrNull(image);
        int count = image.getInt();
        List<ClassicMember> members = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            members.add(takeMember(image, Objects.requireNonNullElse(protocol, "")));
        }
        return new ClassicImage(sinceMillis, generation, protocolType, protocol, leader, members);
    }

    private static ClassicMember takeMember(ByteBuffer image, String protocol) {
        String id = EntryText.take(image);
        String instanceId = EntryText.takeOrNull(image);
        String clientId = EntryText.take(image);
        String clientHost = EntryText.take(image);
        int sessionTimeoutMillis = image.getInt();
        int rebalanceTimeoutMillis = image.getInt();
        JoinGroupRequestProtocol offered =
                new JoinGroupRequestProtocol().name(protocol).metadata(takeBytes(image));
        ClassicMember member = new ClassicMember(id, instanceId, clientId, clientHost, List.of(offered));
        member.sessionTimeoutMillis = sessionTimeoutMillis;
        member.rebalanceTimeoutMillis = rebalanceTimeoutMillis;
        member.assignment = takeBytes(image);
        return member;
    }

    private static byte[] takeBytes(ByteBuffer image) {
        byte[] bytes = new byte[image.getInt()];
        image.get(bytes);
        return bytes;
    }
}
