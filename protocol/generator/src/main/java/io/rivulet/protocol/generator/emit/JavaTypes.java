package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import java.util.Locale;
import java.util.Map;
import javax.lang.model.element.Modifier;

/** Maps fields to Java types and values. */
public final class JavaTypes {
    public static final String MESSAGE_PACKAGE = "io.rivulet.protocol.message";

    static final ClassName STRUCT = wire("Struct");
    static final ClassName READER = wire("WireReader");
    static final ClassName WRITER = wire("WireWriter");
    static final ClassName SIZE = wire("WireSize");
    static final ClassName EMPTY = wire("Empty");
    static final ClassName UUID = wire("Uuid");
    static final ClassName LIST = ClassName.get("java.util", "List");
    static final ClassName ARRAYS = ClassName.get("java.util", "Arrays");
    static final TypeName UNKNOWN_TAGS = ParameterizedTypeName.get(LIST, wire("UnknownTag"));
    static final AnnotationSpec GENERATED = AnnotationSpec.builder(
                    ClassName.get("javax.annotation.processing", "Generated"))
            .addMember("value", "$S", "io.rivulet.protocol.generator")
            .build();

    /** The parameters and locals of generated methods, by name. */
    private static final Map<String, TypeName> PARAMETERS = Map.of(
            "frame",
            ClassName.get("io.netty.buffer", "ByteBuf"),
            "in",
            READER,
            "out",
            WRITER,
            "count",
            TypeName.INT,
            "version",
            TypeName.SHORT);

    private static final AnnotationSpec NULLABLE = AnnotationSpec.builder(
                    ClassName.get("org.jspecify.annotations", "Nullable"))
            .build();

    private JavaTypes() {}

    static ClassName wire(String name) {
        return ClassName.get("io.rivulet.protocol.wire", name);
    }

    static TypeName nullable(TypeName type) {
        return type.annotated(NULLABLE);
    }

    static MethodSpec.Builder method(Modifier modifier, TypeName returns, String name, String... parameters) {
        MethodSpec.Builder method =
                MethodSpec.methodBuilder(name).addModifiers(modifier).returns(returns);
        for (String parameter : parameters) {
            method.addParameter(PARAMETERS.get(parameter), parameter);
        }
        return method;
    }

    static ClassName struct(MessageSpec message, FieldSpec field) {
        return ClassName.get(MESSAGE_PACKAGE, message.name(), field.struct());
    }

    /** The type, without nullability. Arrays of numbers are Java arrays, to avoid boxing. */
    static TypeName of(MessageSpec message, FieldSpec field) {
        TypeName one = switch (field.kind()) {
            case BOOL -> TypeName.BOOLEAN;
            case INT8 -> TypeName.BYTE;
            case INT16 -> TypeName.SHORT;
            case UINT16, INT32 -> TypeName.INT;
            case INT64 -> TypeName.LONG;
            case FLOAT64 -> TypeName.DOUBLE;
            case UUID -> UUID;
            case STRING -> ClassName.get(String.class);
            case BYTES -> ArrayTypeName.of(TypeName.BYTE);
            case RECORDS -> wire("Records");
            case STRUCT -> struct(message, field);
        };
        if (!field.array()) {
            return one;
        }
        return field.isJavaArray() ? ArrayTypeName.of(one) : ParameterizedTypeName.get(LIST, one);
    }

    /** The initial value of the field. */
    static CodeBlock initial(MessageSpec message, FieldSpec field) {
        if (field.defaultIsNull() || field.isLazyStruct()) {
            return CodeBlock.of("null");
        }
        if (field.isStruct()) {
            return CodeBlock.of("new $T()", struct(message, field));
        }
        if (field.isJavaArray()) {
            return CodeBlock.of("$T.$L", EMPTY, field.wireName().toUpperCase(Locale.ROOT));
        }
        if (field.array()) {
            return CodeBlock.of("$T.of()", LIST);
        }
        String text = field.defaultText() == null ? "" : field.defaultText();
        String number = text.isEmpty() ? "0" : text;
        return switch (field.kind()) {
            case BOOL -> CodeBlock.of("$L", Boolean.parseBoolean(text));
            case STRING -> CodeBlock.of("$S", text);
            case UUID -> CodeBlock.of("$T.ZERO", UUID);
            case INT64 -> CodeBlock.of("$LL", Long.decode(number));
            case FLOAT64 -> CodeBlock.of("$L", Double.parseDouble(number));
            default -> CodeBlock.of("$L", Integer.decode(number));
        };
    }

    /** A condition that holds if the field does not have its initial value. */
    static CodeBlock isSet(MessageSpec message, FieldSpec field) {
        String name = "this." + field.name();
        CodeBlock initial = initial(message, field);
        if (field.isLazyStruct()) {
            return CodeBlock.of("$1L != null && !$1L.equals(new $2T())", name, struct(message, field));
        }
        if (field.isPrimitive() || field.defaultIsNull()) {
            return CodeBlock.of("$L != $L", name, initial);
        }
        return field.isJavaArray()
                ? CodeBlock.of("!$T.equals($L, $L)", ARRAYS, initial, name)
                : CodeBlock.of("!$L.equals($L)", initial, name);
    }
}
