package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import javax.lang.model.element.Modifier;

/** One message to one class, its structs nested in it. */
public final class MessageEmitter {
    private final MessageSpec message;

    private MessageEmitter(MessageSpec message) {
        this.message = message;
    }

    public static TypeSpec emit(MessageSpec message) {
        MessageEmitter emitter = new MessageEmitter(message);
        StructSpec root = message.root();
        TypeSpec.Builder type = emitter.type(root, ClassName.get(JavaTypes.MESSAGE_PACKAGE, root.name()), true);
        for (StructSpec struct : message.structs().values()) {
            if (!struct.versions().isEmpty()) {
                ClassName name = ClassName.get(JavaTypes.MESSAGE_PACKAGE, root.name(), struct.name());
                type.addType(emitter.type(struct, name, false)
                        .addModifiers(Modifier.STATIC)
                        .build());
            }
        }
        return type.build();
    }

    static CodeBlock requireVersion(StructSpec struct) {
        return CodeBlock.builder()
                .addStatement(
                        "$T.requireVersion($S, version, LOWEST_VERSION, HIGHEST_VERSION)",
                        JavaTypes.SIZE,
                        struct.name())
                .build();
    }

    private TypeSpec.Builder type(StructSpec struct, ClassName self, boolean top) {
        TypeSpec.Builder type = TypeSpec.classBuilder(self)
                .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
                .addSuperinterface(JavaTypes.MESSAGE);
        if (top) {
            type.addAnnotation(JavaTypes.GENERATED).addJavadoc("Versions $L.\n", struct.versions());
            type.addField(constant("LOWEST_VERSION", struct.versions().low()));
            type.addField(constant("HIGHEST_VERSION", struct.versions().high()));
        }
        addFields(type, struct);
        addCodec(type, struct, self, top);
        struct.fields().forEach(field -> addAccessors(type, struct, field, self));
        addUnknownTags(type, self);
        return type.addMethod(ObjectMethods.equalsMethod(struct, self))
                .addMethod(ObjectMethods.hashCodeMethod(struct))
                .addMethod(ObjectMethods.toStringMethod(struct));
    }

    private static com.palantir.javapoet.FieldSpec constant(String name, int version) {
        return com.palantir.javapoet.FieldSpec.builder(TypeName.SHORT, name)
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL)
                .initializer("$L", version)
                .build();
    }

    private void addFields(TypeSpec.Builder type, StructSpec struct) {
        for (FieldSpec field : struct.fields()) {
            TypeName fieldType = JavaTypes.of(message, field);
            boolean nullable = field.mayBeNull() || field.isLazyStruct();
            com.palantir.javapoet.FieldSpec.Builder java = com.palantir.javapoet.FieldSpec.builder(
                    nullable ? JavaTypes.nullable(fieldType) : fieldType, field.name(), Modifier.PRIVATE);
            CodeBlock initial = JavaTypes.initial(field);
            if (!initial.isEmpty()) {
                java.initializer(initial);
            }
            type.addField(java.build());
        }
        type.addField(JavaTypes.nullable(JavaTypes.UNKNOWN_TAGS), "unknownTags", Modifier.PRIVATE);
    }

    private void addCodec(TypeSpec.Builder type, StructSpec struct, ClassName self, boolean top) {
        ReadEmitter read = new ReadEmitter(message, struct, self);
        SizeEmitter size = new SizeEmitter(message, struct);
        if (top) {
            type.addMethod(read.readFrame());
        }
        type.addMethod(read.read(top));
        if (isElement(struct)) {
            type.addMethod(read.readList());
        }
        WriteEmitter write = new WriteEmitter(message, struct);
        type.addMethod(size.sizeInBytes(top));
        type.addMethod(write.write());
        if (!struct.taggedFields().isEmpty() && !struct.flexible().isEmpty()) {
            type.addMethod(size.hasTags())
                    .addMethod(read.readTags())
                    .addMethod(size.tagSectionBytes())
                    .addMethod(write.writeTags());
        }
        for (FieldSpec field : struct.taggedFields()) {
            if (!field.versions().isEmpty()) {
                type.addMethod(size.taggedBytes(field));
            }
        }
        if (message.holdsRecords(struct)) {
            type.addMethod(size.gatheredBytes());
        }
    }

    private boolean isElement(StructSpec struct) {
        return isElementIn(message.root(), struct)
                || message.structs().values().stream().anyMatch(outer -> isElementIn(outer, struct));
    }

    private static boolean isElementIn(StructSpec outer, StructSpec struct) {
        return outer.fields().stream()
                .anyMatch(field -> field.isStructArray() && field.struct().equals(struct.name()));
    }

    private void addAccessors(TypeSpec.Builder type, StructSpec struct, FieldSpec field, ClassName self) {
        TypeName fieldType = JavaTypes.of(message, field);
        TypeName shown = field.mayBeNull() ? JavaTypes.nullable(fieldType) : fieldType;
        MethodSpec.Builder getter = MethodSpec.methodBuilder(field.name())
                .addJavadoc(describe(struct, field))
                .addModifiers(Modifier.PUBLIC)
                .returns(shown);
        if (field.isLazyStruct()) {
            getter.beginControlFlow("if (this.$L == null)", field.name())
                    .addStatement("this.$L = new $T()", field.name(), fieldType)
                    .endControlFlow();
        }
        type.addMethod(getter.addStatement("return this.$L", field.name()).build());
        type.addMethod(setter(field.name(), shown, self));
    }

    private static MethodSpec setter(String name, TypeName type, ClassName self) {
        return MethodSpec.methodBuilder(name)
                .addModifiers(Modifier.PUBLIC)
                .returns(self)
                .addParameter(ParameterSpec.builder(type, name).build())
                .addStatement("this.$L = $L", name, name)
                .addStatement("return this")
                .build();
    }

    private static CodeBlock describe(StructSpec struct, FieldSpec field) {
        StringBuilder text = new StringBuilder("Versions ").append(field.versions());
        if (!field.nullable().isEmpty()) {
            text.append(", null in ").append(field.nullable().equals(field.versions()) ? "all" : field.nullable());
        }
        if (field.tagged()) {
            text.append(", tag ").append(field.tag());
        }
        if (field.ignorable() && !field.versions().contains(struct.versions())) {
            text.append(", dropped in others");
        }
        if (field.entityType() != null) {
            text.append("; entity ").append(field.entityType());
        }
        return CodeBlock.of("$L.\n", text);
    }

    private static void addUnknownTags(TypeSpec.Builder type, ClassName self) {
        type.addMethod(MethodSpec.methodBuilder("unknownTags")
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .returns(JavaTypes.UNKNOWN_TAGS)
                .addStatement("return this.unknownTags == null ? $T.of() : this.unknownTags", JavaTypes.LIST)
                .build());
        type.addMethod(setter("unknownTags", JavaTypes.UNKNOWN_TAGS, self));
    }
}
