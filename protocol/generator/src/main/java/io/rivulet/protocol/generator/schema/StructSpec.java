package io.rivulet.protocol.generator.schema;

import java.util.Comparator;
import java.util.List;

/**
 * A message or a nested struct. Immutable.
 *
 * @param path the names from the message to the struct, for example {@code ProduceRequest.TopicProduceData}
 * @param versions the versions of the message that have the struct
 * @param flexible the versions with compact types and tagged fields
 */
public record StructSpec(String name, String path, Versions versions, Versions flexible, List<FieldSpec> fields) {
    /** The tagged fields in the order of their tags. */
    public List<FieldSpec> taggedFields() {
        return fields.stream()
                .filter(FieldSpec::tagged)
                .sorted(Comparator.comparingInt(FieldSpec::tag))
                .toList();
    }

    public List<FieldSpec> plainFields() {
        return fields.stream().filter(field -> !field.tagged()).toList();
    }

    public String where(FieldSpec field) {
        return path + "." + field.name();
    }

    public String whereTags() {
        return path + ".unknownTags";
    }
}
