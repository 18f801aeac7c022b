package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import io.rivulet.protocol.generator.schema.FieldKind;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;

/** Which Java types and literals stand for which fields. */
public final class JavaTypes {
    public static final String MESSAGE_PACKAGE = "io.rivulet.protocol.message";
    private static final String WIRE_PACKAGE = "io.rivulet.protocol.wire";

    static final ClassName MESSAGE = ClassName.get(WIRE_PACKAGE, "Message");
    static final ClassName READER = ClassName.get(WIRE_PACKAGE, "WireReader");
    static final ClassName WRITER = ClassName.get(WIRE_PACKAGE, "WireWriter");
    static final ClassName SIZE = ClassName.get(WIRE_PACKAGE, "WireSize");
    static final ClassName EMPTY = ClassName.get(WIRE_PACKAGE, "Empty");
    static final ClassName UUID = ClassName.get(WIRE_PACKAGE, "Uuid");
    static final ClassName RECORDS = ClassName.get(WIRE_PACKAGE, "Records");
    static final ClassName UNSUPPORTED = ClassName.get(WIRE_PACKAGE, "UnsupportedFieldException");
    static final ClassName BYTE_BUF = ClassName.get("io.netty.buffer", "ByteBuf");
    static final ClassName LIST = ClassName.get("java.util", "List");
    static final ClassName ARRAYS = ClassName.get("java.util", "Arrays");
    static final ClassName STRING = ClassName.get(String.class);
    static final ClassName NULLABLE = ClassName.get("org.jspecify.annotations", "Nullable");
    static final TypeName UNKNOWN_TAGS = ParameterizedTypeName.get(LIST, ClassName.get(WIRE_PACKAGE, "UnknownTag"));
    static final AnnotationSpec GENERATED = AnnotationSpec.builder(
                    ClassName.get("javax.annotation.processing", "Generated"))
            .addMember("value", "$S", "io.rivulet.protocol.generator")
            .build();

    private JavaTypes() {}

    static TypeName nullable(TypeName type) {
        return type.annotated(AnnotationSpec.builder(NULLABLE).build());
    }

    static ClassName struct(MessageSpec message, FieldSpec field) {
        return ClassName.get(MESSAGE_PACKAGE, message.name(), field.struct());
    }

    /** The type without regard to null. */
    static TypeName of(MessageSpec message, FieldSpec field) {
        if (!field.array()) {
            return element(message, field);
        }
        return isPrimitiveArray(field)
                ? ArrayTypeName.of(element(message, field))
                : ParameterizedTypeName.get(LIST, element(message, field));
    }

    /** Arrays of numbers are Java arrays: no boxing. */
    static boolean isPrimitiveArray(FieldSpec field) {
        return field.array()
                && switch (field.kind()) {
                    case INT16, INT32, INT64 -> true;
                    default -> false;
                };
    }

    static boolean isList(FieldSpec field) {
        return field.array() && !isPrimitiveArray(field);
    }

    static boolean isJavaArray(FieldSpec field) {
        return isPrimitiveArray(field) || field.kind() == FieldKind.BYTES;
    }

    private static TypeName element(MessageSpec message, FieldSpec field) {
        return switch (field.kind()) {
            case BOOL -> TypeName.BOOLEAN;
            case INT8 -> TypeName.BYTE;
            case INT16 -> TypeName.SHORT;
            case UINT16, INT32 -> TypeName.INT;
            case INT64 -> TypeName.LONG;
            case FLOAT64 -> TypeName.DOUBLE;
            case UUID -> UUID;
            case STRING -> STRING;
            case BYTES -> ArrayTypeName.of(TypeName.BYTE);
            case RECORDS -> RECORDS;
            case STRUCT -> struct(message, field);
        };
    }

    /** The initial value, or null where Java's own is the right one. */
    static CodeBlock initial(FieldSpec field) {
        if ((field.mayBeNull() && field.defaultIsNull()) || field.isStruct()) {
            return CodeBlock.of("");
        }
        if (isList(field)) {
            return CodeBlock.of("$T.of()", LIST);
        }
        if (isPrimitiveArray(field)) {
            return CodeBlock.of(
                    "$T.$L",
                    EMPTY,
                    field.kind()
                            .name()
                            .replace("INT16", "SHORTS")
                            .replace("INT32", "INTS")
                            .replace("INT64", "LONGS"));
        }
        return switch (field.kind()) {
            case BYTES -> CodeBlock.of("$T.BYTES", EMPTY);
            case UUID -> CodeBlock.of("$T.ZERO", UUID);
            default -> hasPlainDefault(field) ? CodeBlock.of("") : literal(field);
        };
    }

    private static boolean hasPlainDefault(FieldSpec field) {
        String literal = literal(field).toString();
        return literal.equals("0") || literal.equals("0L") || literal.equals("0.0") || literal.equals("false");
    }

    /** The default of a field that is neither array, struct, bytes nor records. */
    static CodeBlock literal(FieldSpec field) {
        String text = field.defaultText();
        boolean silent = text == null || text.isEmpty();
        return switch (field.kind()) {
            case BOOL -> CodeBlock.of("$L", !silent && Boolean.parseBoolean(text));
            case INT64 -> CodeBlock.of("$LL", silent ? 0 : Long.decode(text));
            case FLOAT64 -> CodeBlock.of("$L", silent ? 0.0 : Double.parseDouble(text));
            case STRING -> CodeBlock.of("$S", silent ? "" : text);
            default -> CodeBlock.of("$L", silent ? 0 : Integer.decode(text));
        };
    }

    /** A condition: the field holds something else than its default. */
    static CodeBlock isSet(MessageSpec message, FieldSpec field) {
        String name = "this." + field.name();
        if (field.mayBeNull() && field.defaultIsNull()) {
            return CodeBlock.of("$L != null", name);
        }
        if (field.isStruct()) {
            return CodeBlock.of("$L != null && !$L.equals(new $T())", name, name, struct(message, field));
        }
        CodeBlock filled = isFilled(field, name);
        return field.mayBeNull() ? CodeBlock.of("($L == null || $L)", name, filled) : filled;
    }

    private static CodeBlock isFilled(FieldSpec field, String name) {
        if (isList(field)) {
            return CodeBlock.of("!$L.isEmpty()", name);
        }
        if (isJavaArray(field)) {
            return CodeBlock.of("$L.length != 0", name);
        }
        return switch (field.kind()) {
            case BOOL -> CodeBlock.of(literal(field).toString().equals("true") ? "!$L" : "$L", name);
            case UUID -> CodeBlock.of("!$L.equals($T.ZERO)", name, UUID);
            case STRING -> CodeBlock.of("!$L.equals($L)", name, literal(field));
            default -> CodeBlock.of("$L != $L", name, literal(field));
        };
    }
}
