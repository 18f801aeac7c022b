package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import java.util.List;
import javax.lang.model.element.Modifier;

/**
 * Emits the code for the section of tagged fields. It is nearly always one byte, for no tags, so all other code is in
 * methods outside the usual path.
 */
final class TagEmitter {
    private final MessageSpec message;
    private final StructSpec struct;
    private final FieldCode code;
    private final String where;
    private final String flexible;
    private final List<FieldSpec> tagged;

    TagEmitter(FieldCode code) {
        this.message = code.message();
        this.struct = code.struct();
        this.code = code;
        this.where = struct.whereTags();
        this.flexible = Conditions.flexible(struct);
        this.tagged = struct.taggedFields();
    }

    void addTo(TypeSpec.Builder type) {
        if (!tagged.isEmpty()) {
            type.addMethod(hasTags())
                    .addMethod(readTags())
                    .addMethod(tagBytes())
                    .addMethod(writeTags());
        }
    }

    CodeBlock read() {
        CodeBlock tags = tagged.isEmpty()
                ? CodeBlock.of("m.unknownTags = in.readUnknownTags($S);\n", where)
                : CodeBlock.of("m.readTags(in, version);\n");
        return Conditions.when(flexible, Conditions.when("in.hasTags()", tags));
    }

    CodeBlock size() {
        String own = "size += hasTags() ? tagBytes(version) : $L ? 1 : 0;\n";
        String unknown = "size += $2T.tagSection($1L, this.unknownTags, $3S, version);\n";
        return tagged.isEmpty() ? CodeBlock.of(unknown, flexible, JavaTypes.SIZE, where) : CodeBlock.of(own, flexible);
    }

    CodeBlock write() {
        String own = "if (hasTags()) {\n$>writeTags(out, version);\n$<} else {\n$>out.writeTagSection(null);\n$<}\n";
        String unknown = "out.writeTagSection(this.unknownTags);\n";
        return Conditions.when(flexible, CodeBlock.of(tagged.isEmpty() ? unknown : own));
    }

    private MethodSpec hasTags() {
        CodeBlock.Builder any = CodeBlock.builder().add("return this.unknownTags != null");
        tagged.forEach(field -> any.add("\n|| $L", JavaTypes.isSet(message, field)));
        return JavaTypes.method(Modifier.PRIVATE, TypeName.BOOLEAN, "hasTags")
                .addStatement(any.build())
                .build();
    }

    private MethodSpec readTags() {
        CodeBlock.Builder cases = CodeBlock.builder();
        for (FieldSpec field : tagged) {
            String carried = Conditions.carried(struct, field);
            CodeBlock misplaced = CodeBlock.of("throw in.misplacedTag(tag, version, $S);\n", struct.where(field));
            CodeBlock guard = Conditions.when(Conditions.not(carried), misplaced);
            CodeBlock value = carried.equals(Conditions.NEVER) ? CodeBlock.of("") : code.read(field, "this");
            cases.add("case $L -> {\n$>$L$L$<}\n", field.tag(), guard, value);
        }
        return JavaTypes.method(Modifier.PRIVATE, TypeName.VOID, "readTags", "in", "version")
                .addStatement("int count = in.readTagCount($S)", where)
                .addStatement("int tag = -1")
                .beginControlFlow("for (int i = 0; i < count; i++)")
                .addStatement("tag = in.readTag(tag, $S)", where)
                .addStatement("int outer = in.enterTag($S)", where)
                .beginControlFlow("switch (tag)")
                .addCode(cases.build())
                .addStatement("default -> this.unknownTags = in.readUnknownTag(this.unknownTags, tag, $S)", where)
                .endControlFlow()
                .addStatement("in.leaveTag(outer, $S)", where)
                .endControlFlow()
                .build();
    }

    private MethodSpec tagBytes() {
        CodeBlock.Builder sizes = CodeBlock.builder();
        for (FieldSpec field : tagged) {
            String value = "tags++;\nint before = size;\n$Lsize += $T.tagPrefix($L, size - before);\n";
            CodeBlock size = CodeBlock.of(value, code.size(field), JavaTypes.SIZE, field.tag());
            sizes.add(code.whereCarried(field, Conditions.when(JavaTypes.isSet(message, field), size)));
        }
        String section = "return size + $T.tagSection($L, tags, $L, this.unknownTags, $S, version)";
        sizes.addStatement(section, JavaTypes.SIZE, flexible, tagged.size(), where);
        return JavaTypes.method(Modifier.PRIVATE, TypeName.INT, "tagBytes", "version")
                .addStatement("int size = 0")
                .addStatement("int tags = 0")
                .addCode(Conditions.declareFlexible(struct, sizes.build()))
                .build();
    }

    private MethodSpec writeTags() {
        CodeBlock.Builder count = CodeBlock.builder().add("(this.unknownTags == null ? 0 : this.unknownTags.size())");
        CodeBlock.Builder values = CodeBlock.builder();
        MethodSpec.Builder method = JavaTypes.method(Modifier.PRIVATE, TypeName.VOID, "writeTags", "out", "version");
        for (FieldSpec field : tagged) {
            CodeBlock set = Conditions.and(Conditions.carried(struct, field), JavaTypes.isSet(message, field));
            method.addStatement("boolean $LSet = $L", field.name(), set);
            count.add(" + ($LSet ? 1 : 0)", field.name());
            String sized = "int size = 0;\n$Lout.writeTag($L, size);\n$L";
            CodeBlock value = CodeBlock.of(sized, code.size(field), field.tag(), code.write(field));
            values.add(Conditions.when(field.name() + "Set", value));
        }
        return method.addStatement("out.writeUnsignedVarint($L)", count.build())
                .addCode(values.build())
                .addStatement("out.writeUnknownTags(this.unknownTags)")
                .build();
    }
}
