package io.rivulet.protocol.generator.schema;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One schema file.
 *
 * @param apiKey -1 where it is neither request nor response
 * @param listeners who serves the request: {@code broker}, {@code controller}
 * @param structs the structs inside, in the order of the file
 */
public record MessageSpec(
        Kind kind,
        int apiKey,
        boolean latestVersionUnstable,
        Set<String> listeners,
        StructSpec root,
        Map<String, StructSpec> structs) {
    /** What the file describes. */
    public enum Kind {
        REQUEST,
        RESPONSE,
        HEADER,
        DATA
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

    /** Whether the struct is the type of such a field. */
    public boolean isUsed(StructSpec struct, Predicate<FieldSpec> where) {
        return Stream.concat(Stream.of(root), structs.values().stream())
                .flatMap(outer -> outer.fields().stream())
                .anyMatch(field -> where.test(field) && field.struct().equals(struct.name()));
    }

    /** Whether records are somewhere below. */
    public boolean holdsRecords(StructSpec struct) {
        return struct.fields().stream()
                .anyMatch(field ->
                        field.isRecords() || (field.kind() == FieldKind.STRUCT && holdsRecords(struct(field))));
    }
}
