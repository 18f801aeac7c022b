package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import io.rivulet.protocol.generator.schema.FieldKind;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import java.util.List;
import java.util.Locale;

/**
 * The statements that read, size and write one field, for versions that have the field. Those that read assign to
 * {@code target}, those that size add to the local {@code size}.
 */
record FieldCode(MessageSpec message, StructSpec struct) {
    CodeBlock read(FieldSpec field, String target) {
        if (field.isPrimitive()) {
            return readRun(List.of(field), target);
        }
        String where = struct.where(field);
        String name = target + "." + field.name();
        String nullable = Conditions.in(field.nullable(), field.versions());
        String compact = Conditions.compact(struct, field);
        if (field.kind() == FieldKind.STRUCT) {
            return readStructs(field, name, compact, nullable, where);
        }
        String wireName = field.wireName();
        return field.kind() == FieldKind.UUID && !field.array()
                ? CodeBlock.of("$L = in.readUuid($S);\n", name, where)
                : CodeBlock.of("$L = in.read$L($L, $L, $S);\n", name, wireName, compact, nullable, where);
    }

    private CodeBlock readStructs(FieldSpec field, String name, String compact, String nullable, String where) {
        TypeName type = JavaTypes.struct(message, field);
        StructSpec inner = message.struct(field);
        int heapBytes = Footprint.heapBytes(inner);
        if (field.array()) {
            String list = "$L = $T.readList(in, in.readCount($L, $L, $L, $L, $S), version);\n";
            int leastBytes = Footprint.minWireBytes(message, inner);
            return CodeBlock.of(list, name, type, compact, nullable, leastBytes, heapBytes, where);
        }
        if (field.mayBeNull()) {
            String one = "$L = in.readPresent($L, $L, $L, $S) ? $T.read(in, version) : null;\n";
            return CodeBlock.of(one, name, field.tagged(), nullable, heapBytes, where, type);
        }
        return CodeBlock.of("in.spend($L, $S);\n$L = $T.read(in, version);\n", heapBytes, where, name, type);
    }

    CodeBlock readRun(List<FieldSpec> run, String target) {
        String take = "in.take($L, \"" + struct.where(run.get(0)) + "\")";
        return inOneStep(run, take, target + ".$1L = in.get$2L($3L + $4L);\n");
    }

    CodeBlock writeRun(List<FieldSpec> run) {
        return inOneStep(run, "out.take($L)", "out.put$2L($3L + $4L, this.$1L);\n");
    }

    /** Code for a run of primitive fields, with one check for all of them. */
    private static CodeBlock inOneStep(List<FieldSpec> run, String take, String each) {
        String at = run.get(0).name() + "At";
        CodeBlock.Builder fields = CodeBlock.builder();
        int offset = 0;
        for (FieldSpec field : run) {
            fields.add(each, field.name(), field.wireName(), at, offset);
            offset += field.kind().fixedBytes();
        }
        return CodeBlock.of("int $L = $L;\n$L", at, CodeBlock.of(take, offset), fields.build());
    }

    CodeBlock size(FieldSpec field) {
        String name = "this." + field.name();
        String compact = Conditions.compact(struct, field);
        CodeBlock notNull = requireValue(field);
        if (field.isStructArray()) {
            CodeBlock elements = forEach(field, "size += $L.sizeInBytes(version)");
            return CodeBlock.of(
                    "$Lsize += $T.prefix($L, $L);\n$L", notNull, JavaTypes.SIZE, compact, count(field), elements);
        }
        if (field.isStruct()) {
            return field.mayBeNull()
                    ? CodeBlock.of("$1Lsize += $2L == null ? 1 : 1 + $2L.sizeInBytes(version);\n", notNull, name)
                    : CodeBlock.of("size += $L().sizeInBytes(version);\n", field.name());
        }
        if (!field.array() && field.kind().fixedBytes() > 0) {
            return CodeBlock.of("size += $L;\n", field.kind().fixedBytes());
        }
        String method = field.wireName().toLowerCase(Locale.ROOT);
        CodeBlock size = CodeBlock.of("$Lsize += $T.$L($L, $L", notNull, JavaTypes.SIZE, method, compact, name);
        return field.kind() == FieldKind.STRING
                ? CodeBlock.of("$L, $S, version);\n", size, struct.where(field))
                : CodeBlock.of("$L);\n", size);
    }

    private CodeBlock requireValue(FieldSpec field) {
        String allowed = field.mayBeNull() ? Conditions.in(field.nullable(), field.versions()) : Conditions.ALWAYS;
        String check = "$T.requireValue(this.$L, $S, version);\n";
        CodeBlock refuse = CodeBlock.of(check, JavaTypes.SIZE, field.name(), struct.where(field));
        return Conditions.when(Conditions.not(allowed), refuse);
    }

    /** The size if the version has the field. Otherwise a value that must not be lost is refused. */
    CodeBlock whereCarried(FieldSpec field, CodeBlock size) {
        String carried = Conditions.in(field.versions(), struct.versions());
        CodeBlock lost = CodeBlock.of("throw $T.lostField($S, version);\n", JavaTypes.SIZE, struct.where(field));
        String elsewhere = field.ignorable() ? Conditions.NEVER : Conditions.not(carried);
        return CodeBlock.of(
                "$L$L",
                Conditions.when(carried, size),
                Conditions.when(elsewhere, Conditions.when(JavaTypes.isSet(message, field), lost)));
    }

    CodeBlock write(FieldSpec field) {
        String name = "this." + field.name();
        String compact = Conditions.compact(struct, field);
        if (field.isPrimitive()) {
            return writeRun(List.of(field));
        }
        if (field.isStructArray()) {
            CodeBlock elements = forEach(field, "$L.write(out, version)");
            return CodeBlock.of("out.writePrefix($L, $L);\n$L", compact, count(field), elements);
        }
        if (field.isStruct()) {
            String mark = "out.writePresent($1L, $2L != null);\n";
            String present = mark + "if ($2L != null) {\n$>$2L.write(out, version);\n$<}\n";
            return field.mayBeNull()
                    ? CodeBlock.of(present, field.tagged(), name)
                    : CodeBlock.of("$L().write(out, version);\n", field.name());
        }
        return field.kind() == FieldKind.UUID && !field.array()
                ? CodeBlock.of("out.writeUuid($L);\n", name)
                : CodeBlock.of("out.write$L($L, $L);\n", field.wireName(), compact, name);
    }

    CodeBlock gathered(FieldSpec field) {
        if (field.isRecords()) {
            return CodeBlock.of("size += $T.gatheredBytes(this.$L);\n", JavaTypes.WRITER, field.name());
        }
        return field.isStructArray() && message.holdsRecords(message.struct(field))
                ? forEach(field, "size += $L.gatheredBytes()")
                : CodeBlock.of("");
    }

    private static String count(FieldSpec field) {
        String size = "this." + field.name() + ".size()";
        return field.mayBeNull() ? "this." + field.name() + " == null ? -1 : " + size : size;
    }

    /** A generated loop has its own type profile, so that the compiler inlines its calls. */
    private static CodeBlock forEach(FieldSpec field, String action) {
        String name = "this." + field.name();
        return CodeBlock.of(
                "for (int i = 0; $Li < $L.size(); i++) {\n$>$L;\n$<}\n",
                field.mayBeNull() ? name + " != null && " : "",
                name,
                CodeBlock.of(action, name + ".get(i)"));
    }
}
