package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.CodeBlock;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import io.rivulet.protocol.generator.schema.Versions;

/** Ranges of versions as plain Java conditions over {@code version}, no wider than they need to be. */
final class Conditions {
    static final String ALWAYS = "true";
    static final String NEVER = "false";

    private Conditions() {}

    /** True exactly in {@code wanted}, if the version is in {@code known}. */
    static String in(Versions wanted, Versions known) {
        Versions both = wanted.intersect(known);
        if (both.isEmpty()) {
            return NEVER;
        }
        boolean below = both.low() > known.low();
        boolean above = both.high() < known.high();
        if (below && above) {
            return both.low() == both.high()
                    ? "version == " + both.low()
                    : "version >= " + both.low() + " && version <= " + both.high();
        }
        if (below) {
            return "version >= " + both.low();
        }
        return above ? "version <= " + both.high() : ALWAYS;
    }

    /** Whether the field is in the compact encoding: the local {@code flexible} where it depends. */
    static String compact(StructSpec struct, FieldSpec field) {
        if (field.tagged()) {
            return ALWAYS;
        }
        return field.neverCompact() ? NEVER : flexible(struct);
    }

    static String flexible(StructSpec struct) {
        return dependsOnVersion(struct) ? "flexible" : in(struct.flexible(), struct.versions());
    }

    /** Declares the local where it is needed. */
    static CodeBlock declareFlexible(StructSpec struct) {
        return dependsOnVersion(struct)
                ? CodeBlock.of("boolean flexible = $L;\n", in(struct.flexible(), struct.versions()))
                : CodeBlock.of("");
    }

    private static boolean dependsOnVersion(StructSpec struct) {
        String condition = in(struct.flexible(), struct.versions());
        return !condition.equals(ALWAYS) && !condition.equals(NEVER);
    }

    /** Opens an {@code if} where the condition is none of the constants. */
    static void begin(CodeBlock.Builder code, String condition) {
        if (!condition.equals(ALWAYS)) {
            code.beginControlFlow("if ($L)", condition);
        }
    }

    static void end(CodeBlock.Builder code, String condition) {
        if (!condition.equals(ALWAYS)) {
            code.endControlFlow();
        }
    }
}
