package io.rivulet.protocol.generator.schema;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A schema file. Immutable.
 *
 * @param apiKey of a request or response; the type of a record in an internal topic; else -1
 * @param listeners the servers of the request: {@code broker}, {@code controller}
 * @param structs the nested structs, in the order of the file
 */
public record MessageSpec(
        Kind kind,
        int apiKey,
        boolean latestVersionUnstable,
        Set<String> listeners,
        StructSpec root,
        Map<String, StructSpec> structs) {
    /** The kind of message. */
    public enum Kind {
        REQUEST,
        RESPONSE,
        HEADER,
        DATA,
        /** The key of a record in an internal topic. Its number is in the field of the API key. */
        COORDINATOR_KEY,
        COORDINATOR_VALUE
    }

    public String name() {
        return root.name();
    }

    public StructSpec struct(FieldSpec field) {
        StructSpec struct = structs.get(field.struct());
        if (struct == null) {
            throw new IllegalStateException(name() + " has no struct " + field.struct());
        }
        return struct;
    }

    /** Whether the struct is the type of a field that matches. */
    public boolean isUsed(StructSpec struct, Predicate<FieldSpec> where) {
        return Stream.concat(Stream.of(root), structs.values().stream())
                .flatMap(outer -> outer.fields().stream())
                .anyMatch(field -> where.test(field) && field.struct().equals(struct.name()));
    }

    /** Whether the struct contains records, directly or not. */
    public boolean holdsRecords(StructSpec struct) {
        return struct.fields().stream()
                .anyMatch(field ->
                        field.isRecords() || (field.kind() == FieldKind.STRUCT && holdsRecords(struct(field))));
    }
}
