package io.rivulet.protocol.generator.emit;

import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import java.util.ArrayList;
import java.util.List;

/** The plain fields of a struct, those of fixed size that always come together taken together. */
final class Runs {
    /**
     * Fields that the same versions carry: one field of any kind, or several of fixed size.
     *
     * @param condition the versions, as Java
     */
    record Run(String condition, List<FieldSpec> fields) {
        FieldSpec first() {
            return fields.get(0);
        }

        int fixedBytes() {
            return fields.stream().mapToInt(field -> field.kind().fixedBytes()).sum();
        }
    }

    private Runs() {}

    /** Without the fields that no version carries. */
    static List<Run> of(StructSpec struct) {
        List<Run> runs = new ArrayList<>();
        for (FieldSpec field : struct.plainFields()) {
            String condition = Conditions.in(field.versions(), struct.versions());
            if (condition.equals(Conditions.NEVER)) {
                continue;
            }
            Run last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
            if (last != null && isFixed(field) && isFixed(last.first()) && condition.equals(last.condition())) {
                last.fields().add(field);
            } else {
                runs.add(new Run(condition, new ArrayList<>(List.of(field))));
            }
        }
        return runs;
    }

    private static boolean isFixed(FieldSpec field) {
        return !field.array() && field.kind().fixedBytes() > 0;
    }
}
