package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.CodeBlock;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import io.rivulet.protocol.generator.schema.Versions;

/** Writes ranges of versions as short Java conditions over {@code version}. */
final class Conditions {
    static final String ALWAYS = "true";
    static final String NEVER = "false";

    private Conditions() {}

    /** A condition that holds exactly for {@code wanted}, if the version is in {@code known}. */
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

    /** A condition that holds if the version has the field. Tagged fields are checked in flexible versions only. */
    static String carried(StructSpec struct, FieldSpec field) {
        return in(field.versions(), field.tagged() ? struct.flexible() : struct.versions());
    }

    /** A condition that holds if the field has the compact encoding. */
    static String compact(StructSpec struct, FieldSpec field) {
        if (field.tagged()) {
            return ALWAYS;
        }
        return field.neverCompact() ? NEVER : flexible(struct);
    }

    /** The local {@code flexible} if it depends on the version, else a constant. */
    static String flexible(StructSpec struct) {
        String condition = in(struct.flexible(), struct.versions());
        return condition.equals(ALWAYS) || condition.equals(NEVER) ? condition : "flexible";
    }

    /** The code, after the declaration of the local if it uses it. */
    static CodeBlock declareFlexible(StructSpec struct, CodeBlock code) {
        return code.toString().contains("flexible")
                ? CodeBlock.of("boolean flexible = $L;\n$L", in(struct.flexible(), struct.versions()), code)
                : code;
    }

    /** The code under a condition, which is a text or code. */
    static CodeBlock when(Object condition, CodeBlock code) {
        if (condition.toString().equals(ALWAYS) || code.isEmpty()) {
            return code;
        }
        return condition.toString().equals(NEVER)
                ? CodeBlock.of("")
                : CodeBlock.of("if ($L) {\n$>$L$<}\n", condition, code);
    }

    static CodeBlock and(String one, Object other) {
        return one.equals(ALWAYS) ? CodeBlock.of("$L", other) : CodeBlock.of("$L && $L", one, other);
    }

    static String not(String condition) {
        return condition.equals(NEVER) ? ALWAYS : condition.equals(ALWAYS) ? NEVER : "!(" + condition + ")";
    }
}
