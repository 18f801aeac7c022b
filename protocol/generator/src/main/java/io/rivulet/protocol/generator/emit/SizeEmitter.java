package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import javax.lang.model.element.Modifier;

/** {@code sizeInBytes}: counts, and refuses what the version cannot carry. */
final class SizeEmitter {
    private final MessageSpec message;
    private final StructSpec struct;

    SizeEmitter(MessageSpec message, StructSpec struct) {
        this.message = message;
        this.struct = struct;
    }

    MethodSpec sizeInBytes(boolean checkVersion) {
        CodeBlock.Builder fields = CodeBlock.builder();
        for (FieldSpec field : struct.plainFields()) {
            branch(fields, field, () -> addSize(fields, field));
        }
        sizeTagSection(fields);
        CodeBlock body = fields.build();
        CodeBlock.Builder code = CodeBlock.builder();
        if (checkVersion) {
            code.add(MessageEmitter.requireVersion(struct));
        }
        if (body.toString().contains("flexible")) {
            code.add(Conditions.declareFlexible(struct));
        }
        code.addStatement("int size = $L", constantBytes()).add(body).addStatement("return size");
        return MethodSpec.methodBuilder("sizeInBytes")
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .returns(TypeName.INT)
                .addParameter(TypeName.SHORT, "version")
                .addCode(code.build())
                .build();
    }

    /** What every version carries in the same size. */
    private int constantBytes() {
        return struct.plainFields().stream()
                .filter(this::isConstant)
                .mapToInt(field -> field.kind().fixedBytes())
                .sum();
    }

    private boolean isConstant(FieldSpec field) {
        return !field.array()
                && field.kind().fixedBytes() > 0
                && Conditions.in(field.versions(), struct.versions()).equals(Conditions.ALWAYS);
    }

    /** The size where the field is carried; elsewhere a value that must not be lost is refused. */
    private void branch(CodeBlock.Builder code, FieldSpec field, Runnable size) {
        if (isConstant(field)) {
            return;
        }
        String carried = Conditions.in(field.versions(), struct.versions());
        if (carried.equals(Conditions.ALWAYS)) {
            size.run();
            return;
        }
        if (!carried.equals(Conditions.NEVER)) {
            code.beginControlFlow("if ($L)", carried);
            size.run();
            if (field.ignorable()) {
                code.endControlFlow();
                return;
            }
            code.nextControlFlow("else if ($L)", JavaTypes.isSet(message, field));
        } else if (field.ignorable()) {
            return;
        } else {
            code.beginControlFlow("if ($L)", JavaTypes.isSet(message, field));
        }
        refuse(code, field, "the version does not have the field");
        code.endControlFlow();
    }

    private void refuse(CodeBlock.Builder code, FieldSpec field, String reason) {
        code.addStatement("throw new $T($S, version, $S)", JavaTypes.UNSUPPORTED, struct.where(field), reason);
    }

    private void addSize(CodeBlock.Builder code, FieldSpec field) {
        String nullAllowed = Conditions.in(field.nullable(), field.versions());
        if (field.mayBeNull() && !nullAllowed.equals(Conditions.ALWAYS)) {
            String unless = nullAllowed.equals(Conditions.NEVER) ? "" : " && !(" + nullAllowed + ")";
            code.beginControlFlow("if (this.$L == null$L)", field.name(), unless);
            refuse(code, field, "null is not allowed");
            code.endControlFlow();
        }
        String name = "this." + field.name();
        String compact = Conditions.compact(struct, field);
        if (field.isStructArray()) {
            code.addStatement("size += $L", prefix(field, compact, name, "size()"));
            if (field.mayBeNull()) {
                code.beginControlFlow("if ($L != null)", name);
            }
            code.beginControlFlow("for (int i = 0; i < $L.size(); i++)", name)
                    .addStatement("size += $L.get(i).sizeInBytes(version)", name)
                    .endControlFlow();
            if (field.mayBeNull()) {
                code.endControlFlow();
            }
        } else {
            code.addStatement("size += $L", sizeExpression(field, compact, name));
        }
    }

    private static CodeBlock prefix(FieldSpec field, String compact, String name, String length) {
        return field.mayBeNull()
                ? CodeBlock.of("$T.prefix($L, $L == null ? -1 : $L.$L)", JavaTypes.SIZE, compact, name, name, length)
                : CodeBlock.of("$T.prefix($L, $L.$L)", JavaTypes.SIZE, compact, name, length);
    }

    private CodeBlock sizeExpression(FieldSpec field, String compact, String name) {
        if (field.array()) {
            return arraySize(field, compact, name);
        }
        return switch (field.kind()) {
            case STRING ->
                CodeBlock.of("$T.string($L, $L, $S, version)", JavaTypes.SIZE, compact, name, struct.where(field));
            case BYTES -> CodeBlock.of("$T.bytes($L, $L)", JavaTypes.SIZE, compact, name);
            case RECORDS -> CodeBlock.of("$T.records($L, $L)", JavaTypes.SIZE, compact, name);
            case STRUCT ->
                field.mayBeNull()
                        ? CodeBlock.of("1 + ($L == null ? 0 : $L.sizeInBytes(version))", name, name)
                        : CodeBlock.of("$L().sizeInBytes(version)", field.name());
            default -> CodeBlock.of("$L", field.kind().fixedBytes());
        };
    }

    private CodeBlock arraySize(FieldSpec field, String compact, String name) {
        CodeBlock whole = switch (field.kind()) {
            case STRING ->
                CodeBlock.of("$T.strings($L, $L, $S, version)", JavaTypes.SIZE, compact, name, struct.where(field));
            default -> {
                String length = JavaTypes.isList(field) ? "size()" : "length";
                yield CodeBlock.of(
                        "$T.prefix($L, $L.$L) + $L * $L.$L",
                        JavaTypes.SIZE,
                        compact,
                        name,
                        length,
                        field.kind().fixedBytes(),
                        name,
                        length);
            }
        };
        return field.mayBeNull()
                ? CodeBlock.of("$L == null ? $T.prefix($L, -1) : $L", name, JavaTypes.SIZE, compact, whole)
                : whole;
    }

    private void sizeTagSection(CodeBlock.Builder code) {
        String flexible = Conditions.in(struct.flexible(), struct.versions());
        CodeBlock none =
                CodeBlock.of("$T.requireNoTags(this.unknownTags, $S, version)", JavaTypes.SIZE, struct.whereTags());
        if (!struct.taggedFields().isEmpty()) {
            code.beginControlFlow("if (hasTags())").addStatement("size += tagSectionBytes(version)");
            if (!flexible.equals(Conditions.NEVER)) {
                code.nextControlFlow("else" + (flexible.equals(Conditions.ALWAYS) ? "" : " if (flexible)"))
                        .addStatement("size += 1");
            }
            code.endControlFlow();
        } else if (flexible.equals(Conditions.NEVER)) {
            code.addStatement(none);
        } else {
            // The common case is spelt out: one byte, for the count of none.
            CodeBlock some = CodeBlock.of(
                    "size += this.unknownTags == null ? 1 : $T.tagSection(0, 0, this.unknownTags, $S, version)",
                    JavaTypes.SIZE,
                    struct.whereTags());
            either(code, flexible, some, none);
        }
    }

    private static void either(CodeBlock.Builder code, String flexible, CodeBlock some, CodeBlock none) {
        if (flexible.equals(Conditions.ALWAYS)) {
            code.addStatement(some);
        } else if (flexible.equals(Conditions.NEVER)) {
            code.addStatement(none);
        } else {
            code.beginControlFlow("if (flexible)")
                    .addStatement(some)
                    .nextControlFlow("else")
                    .addStatement(none)
                    .endControlFlow();
        }
    }

    /** Whether the section of tagged fields may have to be more than the count of none. */
    MethodSpec hasTags() {
        CodeBlock.Builder any = CodeBlock.builder().add("return this.unknownTags != null");
        for (FieldSpec field : struct.taggedFields()) {
            any.add(
                    "\n|| $L",
                    field.isStruct() ? CodeBlock.of("this.$L != null", field.name()) : JavaTypes.isSet(message, field));
        }
        return MethodSpec.methodBuilder("hasTags")
                .addModifiers(Modifier.PRIVATE)
                .returns(TypeName.BOOLEAN)
                .addStatement(any.build())
                .build();
    }

    MethodSpec tagSectionBytes() {
        CodeBlock.Builder code = CodeBlock.builder()
                .add(Conditions.declareFlexible(struct))
                .addStatement("int size = 0")
                .addStatement("int tags = 0");
        for (FieldSpec field : struct.taggedFields()) {
            branch(
                    code,
                    field,
                    () -> code.beginControlFlow("if ($L)", JavaTypes.isSet(message, field))
                            .addStatement("tags++")
                            .addStatement(
                                    "size += $T.tagged($L, $L(version))",
                                    JavaTypes.SIZE,
                                    field.tag(),
                                    bytesMethod(field))
                            .endControlFlow());
        }
        String where = struct.whereTags();
        CodeBlock some = CodeBlock.of(
                "size += $T.tagSection(tags, $L, this.unknownTags, $S, version)",
                JavaTypes.SIZE,
                struct.taggedFields().size(),
                where);
        CodeBlock none = CodeBlock.of("$T.requireNoTags(this.unknownTags, $S, version)", JavaTypes.SIZE, where);
        either(code, Conditions.in(struct.flexible(), struct.versions()), some, none);
        return MethodSpec.methodBuilder("tagSectionBytes")
                .addModifiers(Modifier.PRIVATE)
                .returns(TypeName.INT)
                .addParameter(TypeName.SHORT, "version")
                .addCode(code.addStatement("return size").build())
                .build();
    }

    static String bytesMethod(FieldSpec field) {
        return field.name() + "Bytes";
    }

    /** The size of a tagged field's value, which is written before it. */
    MethodSpec taggedBytes(FieldSpec field) {
        CodeBlock.Builder code = CodeBlock.builder().addStatement("int size = 0");
        addSize(code, field);
        return MethodSpec.methodBuilder(bytesMethod(field))
                .addModifiers(Modifier.PRIVATE)
                .returns(TypeName.INT)
                .addParameter(TypeName.SHORT, "version")
                .addCode(code.addStatement("return size").build())
                .build();
    }

    MethodSpec gatheredBytes() {
        CodeBlock.Builder code = CodeBlock.builder().addStatement("int size = 0");
        for (FieldSpec field : struct.fields()) {
            String name = "this." + field.name();
            if (field.isRecords()) {
                code.addStatement("size += $T.gatheredBytes($L)", JavaTypes.WRITER, name);
            } else if (field.isStructArray() && message.holdsRecords(message.struct(field))) {
                code.beginControlFlow("for (int i = 0; i < $L.size(); i++)", name)
                        .addStatement("size += $L.get(i).gatheredBytes()", name)
                        .endControlFlow();
            }
        }
        return MethodSpec.methodBuilder("gatheredBytes")
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .returns(TypeName.INT)
                .addCode(code.addStatement("return size").build())
                .build();
    }
}
