package io.rivulet.protocol.generator.schema;

import org.jspecify.annotations.Nullable;

/**
 * One field.
 *
 * @param name in lower camel case
 * @param kind the type, or the type of an array's elements
 * @param structName the struct that {@link FieldKind#STRUCT} means
 * @param versions those that carry it, within those of the struct around it
 * @param nullable those of {@code versions} that may carry null
 * @param tag -1 where the field is not tagged; one that is, is so in all its versions
 * @param defaultText what the schema says, null where it is silent
 * @param neverCompact the old encoding even in flexible versions
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

    /** Whether the Java field may hold null. Records start as null even where no version may carry it. */
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

    /** A struct that is there by default: created when it is first asked for. */
    public boolean isLazyStruct() {
        return isStruct() && !mayBeNull();
    }

    /** A number or a truth value: of fixed size, and no object. */
    public boolean isPrimitive() {
        return !array && kind.fixedBytes() > 0 && kind != FieldKind.UUID;
    }

    /** What the methods of the wire package are called for it. */
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
            throw new IllegalStateException(name + " is no struct");
        }
        return structName;
    }
}
