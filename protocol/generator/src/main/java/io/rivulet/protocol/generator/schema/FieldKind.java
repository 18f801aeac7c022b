package io.rivulet.protocol.generator.schema;

import java.util.Locale;

/** The types of the schema language. */
public enum FieldKind {
    BOOL(1, 1, "Boolean"),
    INT8(1, 1, "Byte"),
    INT16(2, 2, "Short"),
    UINT16(2, 4, "UnsignedShort"),
    INT32(4, 4, "Int"),
    INT64(8, 8, "Long"),
    FLOAT64(8, 8, "Double"),
    UUID(16, 4, "Uuid"),
    STRING(0, 4, "String"),
    BYTES(0, 4, "Bytes"),
    RECORDS(0, 4 + 24, "Records"),
    STRUCT(0, 4, "");

    private final int fixedBytes;
    private final int heapBytes;
    private final String wireName;

    FieldKind(int fixedBytes, int heapBytes, String wireName) {
        this.fixedBytes = fixedBytes;
        this.heapBytes = heapBytes;
        this.wireName = wireName;
    }

    /** Bytes of a value on the wire, or 0 if they vary. */
    public int fixedBytes() {
        return fixedBytes;
    }

    /** Bytes of a value in its object, with compressed references. Records include their own object. */
    public int heapBytes() {
        return heapBytes;
    }

    /** The name in methods of the wire package. */
    public String wireName() {
        return wireName;
    }

    static FieldKind parse(String text) {
        return Character.isUpperCase(text.charAt(0)) ? STRUCT : valueOf(text.toUpperCase(Locale.ROOT));
    }
}
