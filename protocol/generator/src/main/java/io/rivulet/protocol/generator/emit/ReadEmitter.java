package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import io.rivulet.protocol.generator.schema.FieldKind;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import javax.lang.model.element.Modifier;

/** The static {@code read}, {@code readList} for elements of arrays, and the section of tagged fields. */
final class ReadEmitter {
    private final MessageSpec message;
    private final StructSpec struct;
    private final TypeName self;

    ReadEmitter(MessageSpec message, StructSpec struct, TypeName self) {
        this.message = message;
        this.struct = struct;
        this.self = self;
    }

    MethodSpec readFrame() {
        return MethodSpec.methodBuilder("read")
                .addJavadoc("The readable bytes of {@code frame}, which must be this message and nothing else.\n")
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .returns(self)
                .addParameter(JavaTypes.BYTE_BUF, "frame")
                .addParameter(TypeName.SHORT, "version")
                .addStatement("$T in = new $T(frame)", JavaTypes.READER, JavaTypes.READER)
                .addStatement("$T m = read(in, version)", self)
                .addStatement("in.expectEnd($S)", struct.path())
                .addStatement("return m")
                .build();
    }

    MethodSpec read(boolean checkVersion) {
        CodeBlock.Builder code = CodeBlock.builder();
        if (checkVersion) {
            code.add(MessageEmitter.requireVersion(struct));
        }
        code.addStatement("$T m = new $T()", self, self);
        CodeBlock.Builder fields = CodeBlock.builder();
        Runs.of(struct).forEach(run -> readRun(fields, run));
        readTagSection(fields);
        CodeBlock body = fields.build();
        if (body.toString().contains("flexible")) {
            code.add(Conditions.declareFlexible(struct));
        }
        return MethodSpec.methodBuilder("read")
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .returns(self)
                .addParameter(JavaTypes.READER, "in")
                .addParameter(TypeName.SHORT, "version")
                .addCode(code.add(body).build())
                .addStatement("return m")
                .build();
    }

    /** The count has been checked, and the budget been charged, by who read it. */
    MethodSpec readList() {
        TypeName list = ParameterizedTypeName.get(JavaTypes.LIST, self);
        return MethodSpec.methodBuilder("readList")
                .addModifiers(Modifier.STATIC)
                .returns(list)
                .addParameter(JavaTypes.READER, "in")
                .addParameter(TypeName.INT, "count")
                .addParameter(TypeName.SHORT, "version")
                .beginControlFlow("if (count == 0)")
                .addStatement("return $T.of()", JavaTypes.LIST)
                .endControlFlow()
                .addStatement("$T[] array = new $T[count]", self, self)
                .beginControlFlow("for (int i = 0; i < count; i++)")
                .addStatement("array[i] = read(in, version)")
                .endControlFlow()
                .addStatement("return $T.asList(array)", JavaTypes.ARRAYS)
                .build();
    }

    private void readRun(CodeBlock.Builder code, Runs.Run run) {
        Conditions.begin(code, run.condition());
        if (run.fields().size() == 1) {
            readValue(code, run.first(), "m");
        } else {
            readFixed(code, run);
        }
        Conditions.end(code, run.condition());
    }

    /** One check for all of them. */
    private void readFixed(CodeBlock.Builder code, Runs.Run run) {
        String at = run.first().name() + "At";
        code.addStatement("int $L = in.take($L, $S)", at, run.fixedBytes(), struct.where(run.first()));
        int offset = 0;
        for (FieldSpec field : run.fields()) {
            String suffix = suffix(field);
            CodeBlock where =
                    field.kind() == FieldKind.UUID ? CodeBlock.of(", $S", struct.where(field)) : CodeBlock.of("");
            code.addStatement(
                    "m.$L = in.$L$LAt($L + $L$L)",
                    field.name(),
                    Character.toLowerCase(suffix.charAt(0)),
                    suffix.substring(1),
                    at,
                    offset,
                    where);
            offset += field.kind().fixedBytes();
        }
    }

    private void readValue(CodeBlock.Builder code, FieldSpec field, String target) {
        String compact = Conditions.compact(struct, field);
        String where = struct.where(field);
        boolean nullable = !field.nullable().isEmpty();
        if (field.isStruct()) {
            readStruct(code, field, target, where, nullable);
        } else if (field.isStructArray()) {
            readStructArray(code, field, target, compact, where, nullable);
        } else {
            code.addStatement("$L.$L = $L", target, field.name(), readPrimitive(field, compact, where, nullable));
        }
        String nullAllowed = Conditions.in(field.nullable(), field.versions());
        if (nullable && !nullAllowed.equals(Conditions.ALWAYS)) {
            code.beginControlFlow("if ($L.$L == null && !($L))", target, field.name(), nullAllowed)
                    .addStatement("throw in.nullValue($S)", where)
                    .endControlFlow();
        }
    }

    private void readStruct(CodeBlock.Builder code, FieldSpec field, String target, String where, boolean nullable) {
        int heapBytes = Footprint.heapBytes(message.struct(field));
        TypeName type = JavaTypes.struct(message, field);
        if (nullable) {
            code.addStatement(
                    "$L.$L = in.readPresent($L, $S) ? $T.read(in, version) : null",
                    target,
                    field.name(),
                    heapBytes,
                    where,
                    type);
        } else {
            code.addStatement("in.spend($L, $S)", heapBytes, where)
                    .addStatement("$L.$L = $T.read(in, version)", target, field.name(), type);
        }
    }

    private void readStructArray(
            CodeBlock.Builder code, FieldSpec field, String target, String compact, String where, boolean nullable) {
        StructSpec element = message.struct(field);
        CodeBlock count = CodeBlock.of(
                "in.$L($L, $L, $L, $S)",
                nullable ? "readNullableCount" : "readCount",
                compact,
                Footprint.minWireBytes(message, element),
                Footprint.heapBytes(element),
                where);
        TypeName type = JavaTypes.struct(message, field);
        if (nullable) {
            String local = field.name() + "Count";
            code.addStatement("int $L = $L", local, count)
                    .addStatement(
                            "$L.$L = $L < 0 ? null : $T.readList(in, $L, version)",
                            target,
                            field.name(),
                            local,
                            type,
                            local);
        } else {
            code.addStatement("$L.$L = $T.readList(in, $L, version)", target, field.name(), type, count);
        }
    }

    private static CodeBlock readPrimitive(FieldSpec field, String compact, String where, boolean nullable) {
        String suffix = suffix(field);
        if (!field.array() && field.kind().fixedBytes() > 0) {
            return CodeBlock.of("in.read$L($S)", suffix, where);
        }
        return CodeBlock.of("in.read$L$L($L, $S)", nullable ? "Nullable" : "", suffix, compact, where);
    }

    /** What the methods of reader and writer are called for the type. */
    static String suffix(FieldSpec field) {
        String one = switch (field.kind()) {
            case BOOL -> "Boolean";
            case INT8 -> "Byte";
            case INT16 -> "Short";
            case UINT16 -> "UnsignedShort";
            case INT32 -> "Int";
            case INT64 -> "Long";
            case FLOAT64 -> "Double";
            case UUID -> "Uuid";
            case STRING -> "String";
            case BYTES -> "Bytes";
            case RECORDS -> "Records";
            case STRUCT -> throw new IllegalStateException(field.name());
        };
        return field.array() && field.kind() != FieldKind.BYTES ? one + "s" : one;
    }

    private void readTagSection(CodeBlock.Builder code) {
        String flexible = Conditions.in(struct.flexible(), struct.versions());
        if (flexible.equals(Conditions.NEVER)) {
            return;
        }
        String condition = Conditions.flexible(struct);
        Conditions.begin(code, condition);
        if (struct.taggedFields().isEmpty()) {
            code.addStatement("m.unknownTags = in.readUnknownTags($S)", struct.whereTags());
        } else {
            code.beginControlFlow("if (in.hasTags())")
                    .addStatement("m.readTags(in, version)")
                    .endControlFlow();
        }
        Conditions.end(code, condition);
    }

    MethodSpec readTags() {
        String where = struct.whereTags();
        CodeBlock.Builder code = CodeBlock.builder()
                .addStatement("int count = in.readTagCount($S)", where)
                .addStatement("int tag = -1")
                .beginControlFlow("for (int i = 0; i < count; i++)")
                .addStatement("tag = in.readTag(tag, $S)", where)
                .addStatement("int outer = in.enterTag($S)", where)
                .beginControlFlow("switch (tag)");
        for (FieldSpec field : struct.taggedFields()) {
            code.beginControlFlow("case $L ->", field.tag());
            String carried = Conditions.in(field.versions(), struct.flexible());
            if (!carried.equals(Conditions.ALWAYS)) {
                code.beginControlFlow("if (!($L))", carried)
                        .addStatement("throw in.misplacedTag(tag, version, $S)", struct.where(field))
                        .endControlFlow();
            }
            if (!carried.equals(Conditions.NEVER)) {
                readValue(code, field, "this");
            }
            code.endControlFlow();
        }
        code.addStatement("default -> this.unknownTags = in.readUnknownTag(this.unknownTags, tag, $S)", where)
                .endControlFlow()
                .addStatement("in.leaveTag(outer, $S)", where)
                .endControlFlow();
        return MethodSpec.methodBuilder("readTags")
                .addModifiers(Modifier.PRIVATE)
                .addParameter(JavaTypes.READER, "in")
                .addParameter(TypeName.SHORT, "version")
                .addCode(code.build())
                .build();
    }
}
