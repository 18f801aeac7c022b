package io.rivulet.protocol.message.differential;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The content of a message, independent of a library: structs are maps from field name to value, arrays are lists, all
 * integers are {@code Long}, bytes and records are {@code ByteBuffer}, uuids are {@link Id}.
 */
final class Tree {
    /** The key of the unknown tagged fields in a struct's map. */
    static final String TAGS = "unknown tags";

    /** A uuid. */
    record Id(long most, long least) {}

    /** An unknown tagged field. */
    record Tag(int tag, ByteBuffer data) {}

    private Tree() {}

    static Map<String, Object> struct() {
        return new LinkedHashMap<>();
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> asStruct(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> asList(Object value) {
        return (List<Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Tag> tags(Map<String, Object> struct) {
        return (List<Tag>) struct.getOrDefault(TAGS, List.of());
    }

    static byte[] bytes(Object value) {
        ByteBuffer buffer = ((ByteBuffer) value).duplicate();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
