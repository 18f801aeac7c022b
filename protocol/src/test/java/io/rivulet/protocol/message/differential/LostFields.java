package io.rivulet.protocol.message.differential;

import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** For each field that a version does not have, a message in which only this field is set. */
final class LostFields {
    /** One of these messages. */
    record Case(String what, Map<String, Object> tree) {}

    private final MessageSpec message;
    private final int version;

    LostFields(MessageSpec message, int version) {
        this.message = message;
        this.version = version;
    }

    List<Case> cases() {
        return cases(message.root());
    }

    private List<Case> cases(StructSpec struct) {
        List<Case> cases = new ArrayList<>();
        for (FieldSpec field : struct.fields()) {
            if (!field.versions().contains(version)) {
                cases.add(new Case(struct.where(field), with(struct, field, other(field))));
            } else {
                addNull(cases, struct, field);
                addNested(cases, struct, field);
            }
        }
        if (!struct.flexible().contains(version)) {
            Map<String, Object> tree = whatMustBeSet(struct);
            tree.put(Tree.TAGS, List.of(new Tree.Tag(1000, ByteBuffer.allocate(1))));
            cases.add(new Case(struct.whereTags(), tree));
        }
        return cases;
    }

    private void addNull(List<Case> cases, StructSpec struct, FieldSpec field) {
        if (field.mayBeNull()) {
            cases.add(new Case(struct.where(field) + " as null", with(struct, field, null)));
        }
    }

    private void addNested(List<Case> cases, StructSpec struct, FieldSpec field) {
        if (field.isStruct() || field.isStructArray()) {
            for (Case nested : cases(message.struct(field))) {
                Object value = field.array() ? List.of(nested.tree) : nested.tree;
                cases.add(new Case(nested.what, with(struct, field, value)));
            }
        }
    }

    private Map<String, Object> with(StructSpec struct, FieldSpec field, Object value) {
        Map<String, Object> tree = whatMustBeSet(struct);
        tree.put(field.name(), value);
        return tree;
    }

    /** Records are initially null, which not every version allows. */
    private Map<String, Object> whatMustBeSet(StructSpec struct) {
        Map<String, Object> tree = Tree.struct();
        for (FieldSpec field : struct.fields()) {
            boolean carried = field.versions().contains(version);
            if (carried && field.isRecords() && !field.nullable().contains(version)) {
                tree.put(field.name(), ByteBuffer.allocate(0));
            }
        }
        return tree;
    }

    /** A value that is not the default. */
    private Object other(FieldSpec field) {
        if (field.array()) {
            return List.of(field.isStructArray() ? Tree.struct() : scalar(field));
        }
        if (field.isStruct()) {
            StructSpec struct = message.struct(field);
            FieldSpec first = struct.fields().get(0);
            return field.mayBeNull() ? Tree.struct() : with(struct, first, other(first));
        }
        return scalar(field);
    }

    private static Object scalar(FieldSpec field) {
        return switch (field.kind()) {
            case BOOL -> !Boolean.parseBoolean(field.defaultText());
            case FLOAT64 -> 41.0;
            case UUID -> new Tree.Id(4, 1);
            case STRING -> "forty-one";
            case BYTES, RECORDS -> ByteBuffer.wrap(new byte[41]);
            default -> 41L;
        };
    }
}
