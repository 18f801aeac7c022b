package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;

/** Emits one class for a message, with its structs as nested classes. */
public final class MessageEmitter {
    private static final Set<String> JAVA_INITIAL = Set.of("null", "0", "0L", "0.0", "false");

    private final MessageSpec message;

    private MessageEmitter(MessageSpec message) {
        this.message = message;
    }

    public static TypeSpec emit(MessageSpec message) {
        MessageEmitter emitter = new MessageEmitter(message);
        ClassName self = ClassName.get(JavaTypes.MESSAGE_PACKAGE, message.name());
        TypeSpec.Builder type = emitter.type(message.root(), self, true);
        message.structs().values().stream()
                .filter(struct -> !struct.versions().isEmpty())
                .map(struct -> emitter.type(struct, self.nestedClass(struct.name()), false))
                .forEach(struct ->
                        type.addType(struct.addModifiers(Modifier.STATIC).build()));
        return type.build();
    }

    private TypeSpec.Builder type(StructSpec struct, ClassName self, boolean top) {
        TypeSpec.Builder type = TypeSpec.classBuilder(self)
                .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
                .superclass(JavaTypes.STRUCT);
        if (top) {
            type.addAnnotation(JavaTypes.GENERATED).addJavadoc("Versions $L.\n", struct.versions());
            addConstant(type, "LOWEST_VERSION", struct.versions().low());
            addConstant(type, "HIGHEST_VERSION", struct.versions().high());
        }
        struct.fields().forEach(field -> type.addField(javaField(field)));
        new CodecEmitter(message, struct, self).addTo(type);
        struct.fields().forEach(field -> addAccessors(type, field, self));
        return type.addMethod(setter("unknownTags", JavaTypes.UNKNOWN_TAGS, self))
                .addMethod(fieldValues(struct));
    }

    private static void addConstant(TypeSpec.Builder type, String name, int version) {
        type.addField(com.palantir.javapoet.FieldSpec.builder(TypeName.SHORT, name)
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL)
                .initializer("$L", version)
                .build());
    }

    private com.palantir.javapoet.FieldSpec javaField(FieldSpec field) {
        TypeName type = JavaTypes.of(message, field);
        CodeBlock initial = JavaTypes.initial(message, field);
        boolean startsAsNull = field.mayBeNull() || field.isLazyStruct();
        return com.palantir.javapoet.FieldSpec.builder(
                        startsAsNull ? JavaTypes.nullable(type) : type, field.name(), Modifier.PRIVATE)
                .initializer(JAVA_INITIAL.contains(initial.toString()) ? CodeBlock.of("") : initial)
                .build();
    }

    /** For equals, hashCode and toString, which need not be fast. */
    private static MethodSpec fieldValues(StructSpec struct) {
        String all = struct.fields().stream()
                .map(field -> "\"" + field.name() + "\", " + field.name() + (field.isLazyStruct() ? "()" : ""))
                .collect(Collectors.joining(",\n"));
        return JavaTypes.method(Modifier.PROTECTED, ArrayTypeName.of(Object.class), "fieldValues")
                .addAnnotation(Override.class)
                .addStatement("return new Object[] {$L}", all)
                .build();
    }

    private void addAccessors(TypeSpec.Builder type, FieldSpec field, ClassName self) {
        TypeName fieldType = JavaTypes.of(message, field);
        TypeName shown = field.mayBeNull() ? JavaTypes.nullable(fieldType) : fieldType;
        String nullable = field.nullable().isEmpty() ? "" : ", null in " + field.nullable();
        String tag = field.tagged() ? ", tag " + field.tag() : "";
        MethodSpec.Builder getter = JavaTypes.method(Modifier.PUBLIC, shown, field.name())
                .addJavadoc("Versions $L$L$L.\n", field.versions(), nullable, tag);
        if (field.isLazyStruct()) {
            getter.beginControlFlow("if (this.$L == null)", field.name())
                    .addStatement("this.$L = new $T()", field.name(), fieldType)
                    .endControlFlow();
        }
        type.addMethod(getter.addStatement("return this.$L", field.name()).build());
        type.addMethod(setter(field.name(), shown, self));
    }

    private static MethodSpec setter(String name, TypeName type, ClassName self) {
        return JavaTypes.method(Modifier.PUBLIC, self, name)
                .addParameter(type, name)
                .addStatement("this.$L = $L", name, name)
                .addStatement("return this")
                .build();
    }
}
