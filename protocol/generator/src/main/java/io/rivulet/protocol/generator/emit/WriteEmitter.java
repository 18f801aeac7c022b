package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import java.util.Comparator;
import java.util.List;
import javax.lang.model.element.Modifier;

/** {@code write}: what {@code sizeInBytes} has checked and counted. */
final class WriteEmitter {
    private final MessageSpec message;
    private final StructSpec struct;

    WriteEmitter(MessageSpec message, StructSpec struct) {
        this.message = message;
        this.struct = struct;
    }

    MethodSpec write() {
        CodeBlock.Builder fields = CodeBlock.builder();
        Runs.of(struct).forEach(run -> writeRun(fields, run));
        writeTagSection(fields);
        CodeBlock body = fields.build();
        CodeBlock.Builder code = CodeBlock.builder();
        if (body.toString().contains("flexible")) {
            code.add(Conditions.declareFlexible(struct));
        }
        return MethodSpec.methodBuilder("write")
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .addParameter(JavaTypes.WRITER, "out")
                .addParameter(TypeName.SHORT, "version")
                .addCode(code.add(body).build())
                .build();
    }

    private void writeRun(CodeBlock.Builder code, Runs.Run run) {
        Conditions.begin(code, run.condition());
        if (run.fields().size() == 1) {
            writeValue(code, run.first());
        } else {
            String at = run.first().name() + "At";
            code.addStatement("int $L = out.take($L)", at, run.fixedBytes());
            int offset = 0;
            for (FieldSpec field : run.fields()) {
                code.addStatement("out.put$L($L + $L, this.$L)", ReadEmitter.suffix(field), at, offset, field.name());
                offset += field.kind().fixedBytes();
            }
        }
        Conditions.end(code, run.condition());
    }

    private void writeValue(CodeBlock.Builder code, FieldSpec field) {
        String name = "this." + field.name();
        String compact = Conditions.compact(struct, field);
        if (field.isStruct()) {
            writeStruct(code, field, name);
        } else if (field.isStructArray()) {
            writeStructArray(code, field, name, compact);
        } else if (!field.array() && field.kind().fixedBytes() > 0) {
            code.addStatement("out.write$L($L)", ReadEmitter.suffix(field), name);
        } else if (field.array() && field.mayBeNull()) {
            code.beginControlFlow("if ($L == null)", name)
                    .addStatement("out.writePrefix($L, -1)", compact)
                    .nextControlFlow("else")
                    .addStatement("out.write$L($L, $L)", ReadEmitter.suffix(field), compact, name)
                    .endControlFlow();
        } else {
            code.addStatement("out.write$L($L, $L)", ReadEmitter.suffix(field), compact, name);
        }
    }

    private static void writeStruct(CodeBlock.Builder code, FieldSpec field, String name) {
        if (field.mayBeNull()) {
            code.addStatement("out.writePresent($L != null)", name)
                    .beginControlFlow("if ($L != null)", name)
                    .addStatement("$L.write(out, version)", name)
                    .endControlFlow();
        } else {
            code.addStatement("$L().write(out, version)", field.name());
        }
    }

    private static void writeStructArray(CodeBlock.Builder code, FieldSpec field, String name, String compact) {
        if (field.mayBeNull()) {
            code.addStatement("out.writePrefix($L, $L == null ? -1 : $L.size())", compact, name, name)
                    .beginControlFlow("if ($L != null)", name);
        } else {
            code.addStatement("out.writePrefix($L, $L.size())", compact, name);
        }
        code.beginControlFlow("for (int i = 0; i < $L.size(); i++)", name)
                .addStatement("$L.get(i).write(out, version)", name)
                .endControlFlow();
        if (field.mayBeNull()) {
            code.endControlFlow();
        }
    }

    private void writeTagSection(CodeBlock.Builder code) {
        if (struct.flexible().isEmpty()) {
            return;
        }
        String condition = Conditions.flexible(struct);
        Conditions.begin(code, condition);
        if (struct.taggedFields().isEmpty()) {
            code.addStatement("out.writeTagSection(this.unknownTags)");
        } else {
            code.beginControlFlow("if (hasTags())")
                    .addStatement("writeTags(out, version)")
                    .nextControlFlow("else")
                    .addStatement("out.writeByte((byte) 0)")
                    .endControlFlow();
        }
        Conditions.end(code, condition);
    }

    MethodSpec writeTags() {
        CodeBlock.Builder code = CodeBlock.builder();
        List<FieldSpec> tagged = struct.taggedFields().stream()
                .sorted(Comparator.comparingInt(FieldSpec::tag))
                .filter(field -> !field.versions().isEmpty())
                .toList();
        StringBuilder count = new StringBuilder("(this.unknownTags == null ? 0 : this.unknownTags.size())");
        for (FieldSpec field : tagged) {
            String local = field.name() + "Set";
            String carried = Conditions.in(field.versions(), struct.flexible());
            String prefix = carried.equals(Conditions.ALWAYS) ? "" : carried + " && ";
            code.addStatement("boolean $L = $L$L", local, prefix, JavaTypes.isSet(message, field));
            count.append(" + (").append(local).append(" ? 1 : 0)");
        }
        code.addStatement("out.writeUnsignedVarint($L)", count);
        for (FieldSpec field : tagged) {
            code.beginControlFlow("if ($LSet)", field.name())
                    .addStatement("out.writeTag($L, $L(version))", field.tag(), SizeEmitter.bytesMethod(field));
            writeValue(code, field);
            code.endControlFlow();
        }
        code.addStatement("out.writeUnknownTags(this.unknownTags)");
        return MethodSpec.methodBuilder("writeTags")
                .addModifiers(Modifier.PRIVATE)
                .addParameter(JavaTypes.WRITER, "out")
                .addParameter(TypeName.SHORT, "version")
                .addCode(code.build())
                .build();
    }
}
