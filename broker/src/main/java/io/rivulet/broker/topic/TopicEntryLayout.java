package io.rivulet.broker.topic;

import io.rivulet.protocol.wire.Uuid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Layout of the catalogue's log entries; one entry of the log may hold several. Numbers are big-endian. A text is its
 * length in two bytes and UTF-8.
 *
 * <pre>
 * TOPIC_CREATED    | 1 | id 16 | firstQueueId 4 | count 4 | name text | configs |
 * TOPIC_DELETED    | 2 | id 16 |
 * PARTITIONS_ADDED | 3 | id 16 | partitionsBefore 4 | firstQueueId 4 | count 4 |
 * CONFIGS_SET      | 4 | id 16 | configs |
 * CLUSTER_NAMED    | 5 | cluster id text |
 * TOPICS_FOLLOW    | 6 | count 4 |            about how many follow: the reader of a snapshot sizes its tables
 *
 * configs: count 2 | for each: key text, value text
 * </pre>
 *
 * <p>Crash policy: entries are durable and checksummed with their group. To apply an entry twice changes nothing, so a
 * snapshot, which is a list of entries too, may be written while the catalogue changes.
 */
final class TopicEntryLayout {
    static final byte TOPIC_CREATED = 1;
    static final byte TOPIC_DELETED = 2;
    static final byte PARTITIONS_ADDED = 3;
    static final byte CONFIGS_SET = 4;
    static final byte CLUSTER_NAMED = 5;
    static final byte TOPICS_FOLLOW = 6;

    private static final int TEXT_OVERHEAD_BYTES = Short.BYTES;
    private static final int ID_BYTES = 1 + Uuid.SIZE_BYTES;

    private TopicEntryLayout() {}

    // ---- writing: each method returns a buffer that is ready to be read ----

    static ByteBuffer created(Uuid id, String name, int firstQueueId, int count, Map<String, String> configs) {
        return created(id, ByteBuffer.wrap(bytes(name)), firstQueueId, count, configs);
    }

    /** @param name encoded; its position does not change */
    static ByteBuffer created(Uuid id, ByteBuffer name, int firstQueueId, int count, Map<String, String> configs) {
        ByteBuffer entry = ByteBuffer.allocate(sizeOfCreated(name.remaining(), configs));
        putHead(entry, TOPIC_CREATED, id).putInt(firstQueueId).putInt(count);
        entry.putShort((short) name.remaining()).put(name.duplicate());
        putConfigs(entry, configs);
        return entry.flip();
    }

    static int sizeOfCreated(String name, Map<String, String> configs) {
        return sizeOfCreated(bytes(name).length, configs);
    }

    private static int sizeOfCreated(int nameBytes, Map<String, String> configs) {
        return ID_BYTES + 2 * Integer.BYTES + TEXT_OVERHEAD_BYTES + nameBytes + sizeOf(configs);
    }

    static ByteBuffer deleted(Uuid id) {
        return putHead(ByteBuffer.allocate(ID_BYTES), TOPIC_DELETED, id).flip();
    }

    static ByteBuffer partitionsAdded(Uuid id, int partitionsBefore, int firstQueueId, int count) {
        return putHead(ByteBuffer.allocate(ID_BYTES + 3 * Integer.BYTES), PARTITIONS_ADDED, id)
                .putInt(partitionsBefore)
                .putInt(firstQueueId)
                .putInt(count)
                .flip();
    }

    static ByteBuffer configsSet(Uuid id, Map<String, String> configs) {
        ByteBuffer entry = putHead(ByteBuffer.allocate(ID_BYTES + sizeOf(configs)), CONFIGS_SET, id);
        putConfigs(entry, configs);
        return entry.flip();
    }

    static ByteBuffer clusterNamed(String clusterId) {
        byte[] text = bytes(clusterId);
        ByteBuffer entry =
                ByteBuffer.allocate(1 + TEXT_OVERHEAD_BYTES + text.length).put(CLUSTER_NAMED);
        putText(entry, text);
        return entry.flip();
    }

    static ByteBuffer topicsFollow(int count) {
        return ByteBuffer.allocate(1 + Integer.BYTES)
                .put(TOPICS_FOLLOW)
                .putInt(count)
                .flip();
    }

    static ByteBuffer joined(List<ByteBuffer> entries) {
        ByteBuffer all = ByteBuffer.allocate(
                entries.stream().mapToInt(ByteBuffer::remaining).sum());
        entries.forEach(all::put);
        return all.flip();
    }

    private static ByteBuffer putHead(ByteBuffer entry, byte type, Uuid id) {
        return entry.put(type).putLong(id.mostSignificantBits()).putLong(id.leastSignificantBits());
    }

    private static void putText(ByteBuffer entry, byte[] text) {
        entry.putShort((short) text.length).put(text);
    }

    private static void putConfigs(ByteBuffer entry, Map<String, String> configs) {
        entry.putShort((short) configs.size());
        configs.forEach((key, value) -> {
            putText(entry, bytes(key));
            putText(entry, bytes(value));
        });
    }

    private static int sizeOf(Map<String, String> configs) {
        int size = Short.BYTES;
        for (Map.Entry<String, String> config : configs.entrySet()) {
            size += 2 * TEXT_OVERHEAD_BYTES + bytes(config.getKey()).length + bytes(config.getValue()).length;
        }
        return size;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // ---- reading, in the order of the layout ----

    static Uuid takeId(ByteBuffer entry) {
        return new Uuid(entry.getLong(), entry.getLong());
    }

    static String takeText(ByteBuffer entry) {
        return StandardCharsets.UTF_8.decode(takeEncodedText(entry)).toString();
    }

    /** An encoded text, as a slice of the entry. */
    static ByteBuffer takeEncodedText(ByteBuffer entry) {
        int length = Short.toUnsignedInt(entry.getShort());
        ByteBuffer text = entry.slice(entry.position(), length);
        entry.position(entry.position() + length);
        return text;
    }

    static Map<String, String> takeConfigs(ByteBuffer entry) {
        int count = Short.toUnsignedInt(entry.getShort());
        if (count == 0) {
            return Map.of();
        }
        Map<String, String> configs = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            configs.put(takeText(entry), takeText(entry));
        }
        return configs;
    }
}
