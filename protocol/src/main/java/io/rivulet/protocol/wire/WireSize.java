package io.rivulet.protocol.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sizes of types with variable length, the counterpart of {@link WireWriter}. */
public final class WireSize {
    /** The longest string in bytes, in both encodings. */
    public static final int MAX_STRING_BYTES = Short.MAX_VALUE;

    private WireSize() {}

    public static int unsignedVarint(int value) {
        return (value & ~0x7f) == 0 ? 1 : longVarint(value);
    }

    /** A special case: most numbers are small, and a division would be the slowest part. */
    private static int longVarint(int value) {
        return (38 - Integer.numberOfLeadingZeros(value)) / 7;
    }

    /** The prefix of a length or count. A compact one is a varint in which 0 means null. */
    public static int prefix(boolean compact, int length) {
        return compact ? unsignedVarint(length + 1) : Integer.BYTES;
    }

    public static int bytes(boolean compact, byte @Nullable [] value) {
        return value == null ? nullPrefix(compact) : prefix(compact, value.length) + value.length;
    }

    public static int records(boolean compact, @Nullable Records value) {
        return value == null ? nullPrefix(compact) : prefix(compact, value.sizeInBytes()) + value.sizeInBytes();
    }

    private static int nullPrefix(boolean compact) {
        return compact ? 1 : Integer.BYTES;
    }

    public static int string(boolean compact, @Nullable String value, String where, short version) {
        if (value == null) {
            return compact ? 1 : Short.BYTES;
        }
        int length = utf8Length(value);
        if (length > MAX_STRING_BYTES) {
            throw new UnsupportedFieldException(
                    where, version, length + " bytes are more than the " + MAX_STRING_BYTES + " of a string");
        }
        return (compact ? unsignedVarint(length + 1) : Short.BYTES) + length;
    }

    public static int strings(boolean compact, @Nullable List<String> values, String where, short version) {
        if (values == null) {
            return nullPrefix(compact);
        }
        int size = prefix(compact, values.size());
        for (int i = 0; i < values.size(); i++) {
            size += string(compact, values.get(i), where, version);
        }
        return size;
    }

    public static int uuids(boolean compact, @Nullable List<Uuid> values) {
        return values == null ? nullPrefix(compact) : array(compact, values.size(), Uuid.SIZE_BYTES);
    }

    public static int ints(boolean compact, int @Nullable [] values) {
        return values == null ? nullPrefix(compact) : array(compact, values.length, Integer.BYTES);
    }

    public static int shorts(boolean compact, short @Nullable [] values) {
        return values == null ? nullPrefix(compact) : array(compact, values.length, Short.BYTES);
    }

    public static int longs(boolean compact, long @Nullable [] values) {
        return values == null ? nullPrefix(compact) : array(compact, values.length, Long.BYTES);
    }

    private static int array(boolean compact, int count, int elementBytes) {
        return prefix(compact, count) + count * elementBytes;
    }

    /** Tag and length before the value of a tagged field. */
    public static int tagPrefix(int tag, int valueBytes) {
        return unsignedVarint(tag) + unsignedVarint(valueBytes);
    }

    /** The section of tagged fields, if the schema has no tags. */
    public static int tagSection(boolean flexible, @Nullable List<UnknownTag> unknown, String where, short version) {
        if (unknown == null) {
            return flexible ? 1 : 0;
        }
        return tagSection(flexible, 0, 0, unknown, where, version);
    }

    /**
     * The section of tagged fields without the known ones, which use the tags from 0 to {@code knownTags}. Versions
     * without tagged fields can't carry unknown ones.
     *
     * @param schemaTags the number of tags in the schema; unknown ones have larger tags
     */
    public static int tagSection(
            boolean flexible,
            int knownTags,
            int schemaTags,
            @Nullable List<UnknownTag> unknown,
            String where,
            short version) {
        if (unknown == null || unknown.isEmpty()) {
            return flexible ? unsignedVarint(knownTags) : 0;
        }
        if (!flexible) {
            throw new UnsupportedFieldException(where, version, "the version has no tagged fields");
        }
        int size = unsignedVarint(knownTags + unknown.size());
        int lowest = schemaTags;
        for (UnknownTag field : unknown) {
            if (field.tag() < lowest) {
                throw new UnsupportedFieldException(
                        where, version, "tag " + field.tag() + " is known to the schema, or out of order");
            }
            lowest = field.tag() + 1;
            size += tagPrefix(field.tag(), field.data().length) + field.data().length;
        }
        return size;
    }

    /** Refuses a value that must not be lost. */
    public static UnsupportedFieldException lostField(String where, short version) {
        return new UnsupportedFieldException(where, version, "the version does not have the field");
    }

    /** Refuses null in a version that does not allow it. */
    public static void requireValue(@Nullable Object value, String where, short version) {
        if (value == null) {
            throw new UnsupportedFieldException(where, version, "null is not allowed");
        }
    }

    /** Refuses a version outside of the schema, which is the caller's mistake: check it with ApiKey first. */
    public static void requireVersion(String message, short version, int lowest, int highest) {
        if (version < lowest || version > highest) {
            throw new IllegalArgumentException(
                    message + " has versions " + lowest + " to " + highest + ", not " + version);
        }
    }

    static int utf8Length(String value) {
        int ascii = asciiPrefix(value);
        return ascii == value.length() ? ascii : ascii + utf8Length(value, ascii);
    }

    /** The number of ASCII characters at the start. */
    static int asciiPrefix(String value) {
        int length = value.length();
        int i = 0;
        while (i < length && value.charAt(i) < 0x80) {
            i++;
        }
        return i;
    }

    /** Like the JDK, half of a surrogate pair becomes a question mark. */
    private static int utf8Length(String value, int from) {
        int bytes = 0;
        for (int i = from; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 0x80) {
                bytes += 1;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                bytes += 1;
            }
        }
        return bytes;
    }
}
