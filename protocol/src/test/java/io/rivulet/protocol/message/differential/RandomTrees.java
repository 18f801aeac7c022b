package io.rivulet.protocol.message.differential;

import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Generates random contents of a version of a message. */
final class RandomTrees {
    /** The kind of values. */
    enum Mode {
        /** No field is set. */
        DEFAULT,
        /** Every array, string and byte field is empty. */
        EMPTY,
        /** Every nullable field is null. */
        NULL,
        /** The limits of every range, long strings, characters of every length. */
        EXTREME,
        /** A mixture. */
        RANDOM
    }

    private static final String[] EXTREME_STRINGS = {
        "",
        "a",
        "\u0000",
        "\u007f\u0080",
        "\u07ff\u0800",
        "\uffff",
        "\ud83d\ude80 rocket",
        "x".repeat(126),
        "x".repeat(127),
        "x".repeat(128),
        "\u00e9".repeat(8191),
        "x".repeat(32767)
    };

    private final MessageSpec message;
    private final int version;
    private final Mode mode;
    private final RandomGenerator random;

    RandomTrees(MessageSpec message, int version, Mode mode, RandomGenerator random) {
        this.message = message;
        this.version = version;
        this.mode = mode;
        this.random = random;
    }

    Map<String, Object> message() {
        return struct(message.root());
    }

    private Map<String, Object> struct(StructSpec spec) {
        Map<String, Object> struct = Tree.struct();
        if (mode == Mode.DEFAULT) {
            return struct;
        }
        for (FieldSpec field : spec.fields()) {
            boolean leaveOut = mode == Mode.RANDOM && random.nextInt(8) == 0 && !mustBeSet(field);
            if (field.versions().contains(version) && !leaveOut) {
                struct.put(field.name(), value(field));
            }
        }
        if (mode != Mode.EMPTY && spec.flexible().contains(version) && random.nextInt(4) == 0) {
            struct.put(Tree.TAGS, unknownTags(spec.taggedFields().size()));
        }
        return struct;
    }

    /** Records are initially null, which not every version allows. */
    private boolean mustBeSet(FieldSpec field) {
        return field.defaultIsNull() && !field.nullable().contains(version);
    }

    private List<Tree.Tag> unknownTags(int known) {
        List<Tree.Tag> tags = new ArrayList<>();
        int tag = known + random.nextInt(300);
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            tags.add(new Tree.Tag(tag, bytes(random.nextInt(4))));
            tag += random.nextInt(1, 100_000);
        }
        return tags;
    }

    private Object value(FieldSpec field) {
        boolean nullable = field.nullable().contains(version);
        if (nullable && (mode == Mode.NULL || random.nextInt(6) == 0)) {
            return null;
        }
        if (!field.array()) {
            return element(field);
        }
        int count = switch (mode) {
            case EMPTY -> 0;
            // More than 127, so that a compact count takes two bytes; not in arrays of arrays.
            case EXTREME -> field.isStructArray() ? 2 : 130;
            default -> random.nextInt(4);
        };
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(element(field));
        }
        return list;
    }

    private Object element(FieldSpec field) {
        return switch (field.kind()) {
            case BOOL -> random.nextBoolean();
            case INT8 -> integer(Byte.MIN_VALUE, Byte.MAX_VALUE);
            case INT16 -> integer(Short.MIN_VALUE, Short.MAX_VALUE);
            case UINT16 -> integer(0, 0xffff);
            case INT32 -> integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case INT64 -> integer(Long.MIN_VALUE, Long.MAX_VALUE);
            case FLOAT64 -> mode == Mode.EXTREME ? Double.MIN_VALUE : random.nextDouble();
            case UUID -> new Tree.Id(random.nextLong(), random.nextLong());
            case STRING -> string(field.array());
            case BYTES, RECORDS ->
                bytes(
                        switch (mode) {
                            case EMPTY -> 0;
                            case EXTREME -> 20_000;
                            default -> random.nextInt(200);
                        });
            case STRUCT -> struct(message.struct(field));
        };
    }

    private Long integer(long min, long max) {
        if (mode == Mode.EXTREME) {
            return random.nextBoolean() ? min : max;
        }
        long value = random.nextLong();
        return max == Long.MAX_VALUE ? value : min + Math.floorMod(value, max - min + 1);
    }

    private String string(boolean inArray) {
        if (mode == Mode.EMPTY) {
            return "";
        }
        if (mode == Mode.EXTREME) {
            return EXTREME_STRINGS[random.nextInt(inArray ? EXTREME_STRINGS.length - 2 : EXTREME_STRINGS.length)];
        }
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.appendCodePoint(random.nextInt(10) == 0 ? random.nextInt(0x80, 0xd800) : random.nextInt(0x20, 0x7f));
        }
        return text.toString();
    }

    private ByteBuffer bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }
}
