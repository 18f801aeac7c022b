package io.rivulet.protocol.generator.schema;

import java.util.Locale;

/** The types of the schema language, with the bytes that those of fixed size take on the wire. */
public enum FieldKind {
    BOOL(1),
    INT8(1),
    INT16(2),
    UINT16(2),
    INT32(4),
    INT64(8),
    FLOAT64(8),
    UUID(16),
    STRING(0),
    BYTES(0),
    RECORDS(0),
    STRUCT(0);

    private final int fixedBytes;

    FieldKind(int fixedBytes) {
        this.fixedBytes = fixedBytes;
    }

    /** 0 where the size varies. */
    public int fixedBytes() {
        return fixedBytes;
    }

    static FieldKind parse(String text) {
        return Character.isUpperCase(text.charAt(0)) ? STRUCT : valueOf(text.toUpperCase(Locale.ROOT));
    }
}
