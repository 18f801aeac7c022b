package io.rivulet.protocol.generator.schema;

import org.jspecify.annotations.Nullable;

/**
 * A field. Immutable.
 *
 * @param name in lower camel case
 * @param kind the type, or the type of an array's elements
 * @param structName the type of a {@link FieldKind#STRUCT}
 * @param versions the versions with the field, within those of its struct
 * @param nullable the versions in which null is allowed
 * @param tag -1 if the field is not tagged; a tagged field is tagged in all its versions
 * @param defaultText the default in the schema, or null
 * @param neverCompact whether flexible versions use the old encoding too
 */
public record FieldSpec(
        String name,
        FieldKind kind,
        boolean array,
        @Nullable String structName,
        Versions versions,
        Versions nullable,
        int tag,
        boolean ignorable,
        @Nullable String defaultText,
        boolean neverCompact) {
    public boolean tagged() {
        return tag >= 0;
    }

    public boolean defaultIsNull() {
        return "null".equals(defaultText) || isRecords();
    }

    /** Whether the Java field may be null. Records are initially null even if no version allows it. */
    public boolean mayBeNull() {
        return !nullable.isEmpty() || defaultIsNull();
    }

    public boolean isStruct() {
        return kind == FieldKind.STRUCT && !array;
    }

    public boolean isStructArray() {
        return kind == FieldKind.STRUCT && array;
    }

    public boolean isRecords() {
        return kind == FieldKind.RECORDS;
    }

    /** Whether the field is a struct that is created at its first use. */
    public boolean isLazyStruct() {
        return isStruct() && !mayBeNull();
    }

    /** Whether the field is a number or a boolean: of fixed size, and not an object. */
    public boolean isPrimitive() {
        return !array && kind.fixedBytes() > 0 && kind != FieldKind.UUID;
    }

    /** The name in methods of the wire package. */
    public String wireName() {
        return array ? kind.wireName() + "s" : kind.wireName();
    }

    public boolean isJavaArray() {
        return switch (kind) {
            case BYTES -> true;
            case INT16, INT32, INT64 -> array;
            default -> false;
        };
    }

    public String struct() {
        if (structName == null) {
            throw new IllegalStateException(name + " is not a struct");
        }
        return structName;
    }
}
