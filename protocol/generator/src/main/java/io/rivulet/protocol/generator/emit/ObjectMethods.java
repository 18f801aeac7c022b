package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import io.rivulet.protocol.generator.schema.FieldKind;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import javax.lang.model.element.Modifier;

/** {@code equals}, {@code hashCode} and {@code toString}, over the accessors. */
final class ObjectMethods {
    private static final ClassName OBJECTS = ClassName.get("java.util", "Objects");

    private ObjectMethods() {}

    static MethodSpec equalsMethod(StructSpec struct, TypeName self) {
        CodeBlock.Builder all = CodeBlock.builder().add("return other instanceof $T that", self);
        for (FieldSpec field : struct.fields()) {
            all.add("\n&& $L", equal(field));
        }
        all.add("\n&& this.unknownTags().equals(that.unknownTags())");
        return MethodSpec.methodBuilder("equals")
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .returns(TypeName.BOOLEAN)
                .addParameter(JavaTypes.nullable(ClassName.get(Object.class)), "other")
                .addStatement(all.build())
                .build();
    }

    private static CodeBlock equal(FieldSpec field) {
        String name = field.name();
        if (JavaTypes.isJavaArray(field)) {
            return CodeBlock.of("$T.equals(this.$L, that.$L)", JavaTypes.ARRAYS, name, name);
        }
        if (!isPrimitive(field)) {
            return field.mayBeNull()
                    ? CodeBlock.of("$T.equals(this.$L, that.$L)", OBJECTS, name, name)
                    : CodeBlock.of("this.$L().equals(that.$L())", name, name);
        }
        return field.kind() == FieldKind.FLOAT64
                ? CodeBlock.of("Double.compare(this.$L, that.$L) == 0", name, name)
                : CodeBlock.of("this.$L == that.$L", name, name);
    }

    private static boolean isPrimitive(FieldSpec field) {
        return !field.array() && field.kind().fixedBytes() > 0 && field.kind() != FieldKind.UUID;
    }

    static MethodSpec hashCodeMethod(StructSpec struct) {
        CodeBlock.Builder code = CodeBlock.builder().addStatement("int hash = this.unknownTags().hashCode()");
        for (FieldSpec field : struct.fields()) {
            code.addStatement("hash = 31 * hash + $L", hash(field));
        }
        return MethodSpec.methodBuilder("hashCode")
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .returns(TypeName.INT)
                .addCode(code.addStatement("return hash").build())
                .build();
    }

    private static CodeBlock hash(FieldSpec field) {
        String name = field.name();
        if (JavaTypes.isJavaArray(field)) {
            return CodeBlock.of("$T.hashCode(this.$L)", JavaTypes.ARRAYS, name);
        }
        if (!isPrimitive(field)) {
            return field.mayBeNull()
                    ? CodeBlock.of("$T.hashCode(this.$L)", OBJECTS, name)
                    : CodeBlock.of("this.$L().hashCode()", name);
        }
        return switch (field.kind()) {
            case BOOL -> CodeBlock.of("Boolean.hashCode(this.$L)", name);
            case INT64 -> CodeBlock.of("Long.hashCode(this.$L)", name);
            case FLOAT64 -> CodeBlock.of("Double.hashCode(this.$L)", name);
            default -> CodeBlock.of("this.$L", name);
        };
    }

    /** Bytes appear by their length only: they may be credentials. */
    static MethodSpec toStringMethod(StructSpec struct) {
        CodeBlock.Builder text = CodeBlock.builder().add("return $S", struct.name() + "(");
        String separator = "";
        for (FieldSpec field : struct.fields()) {
            text.add("\n+ $S + $L", separator + field.name() + "=", printed(field));
            separator = ", ";
        }
        text.add("\n+ (this.unknownTags().isEmpty() ? \"\" : $S + this.unknownTags())", separator + "unknownTags=")
                .add("\n+ \")\"");
        return MethodSpec.methodBuilder("toString")
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .returns(JavaTypes.STRING)
                .addStatement(text.build())
                .build();
    }

    private static CodeBlock printed(FieldSpec field) {
        String name = field.name();
        if (field.kind() == FieldKind.BYTES) {
            return field.mayBeNull()
                    ? CodeBlock.of("(this.$L == null ? \"null\" : this.$L.length + \" bytes\")", name, name)
                    : CodeBlock.of("this.$L.length + \" bytes\"", name);
        }
        return JavaTypes.isJavaArray(field)
                ? CodeBlock.of("$T.toString(this.$L)", JavaTypes.ARRAYS, name)
                : CodeBlock.of("this.$L()", name);
    }
}
