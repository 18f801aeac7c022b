package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.WildcardTypeName;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.Versions;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import javax.lang.model.element.Modifier;

/** The enum of the APIs that a client may call. */
public final class ApiKeyEmitter {
    private static final ClassName SELF = ClassName.get(JavaTypes.MESSAGE_PACKAGE, "ApiKey");
    private static final ClassName DECODER = SELF.nestedClass("Decoder");
    private static final TypeName FACTORY = ParameterizedTypeName.get(
            ClassName.get("java.util.function", "Supplier"), WildcardTypeName.subtypeOf(JavaTypes.MESSAGE));
    private static final int API_VERSIONS = 18;

    private ApiKeyEmitter() {}

    public static TypeSpec emit(List<MessageSpec> messages) {
        List<MessageSpec> requests = messages.stream()
                .filter(message -> message.kind() == MessageSpec.Kind.REQUEST)
                .sorted(Comparator.comparingInt(MessageSpec::apiKey))
                .toList();
        TypeSpec.Builder type = TypeSpec.enumBuilder(SELF)
                .addAnnotation(JavaTypes.GENERATED)
                .addJavadoc(
                        "The APIs that brokers offer to clients; which of the versions are served, the broker says.\n")
                .addModifiers(Modifier.PUBLIC);
        for (MessageSpec request : requests) {
            type.addEnumConstant(
                    constantName(request),
                    TypeSpec.anonymousClassBuilder(arguments(request)).build());
        }
        int highest = requests.get(requests.size() - 1).apiKey();
        addTable(type, highest);
        addDecoder(type);
        addConstructor(type);
        addMethods(type);
        return type.build();
    }

    private static String apiName(MessageSpec request) {
        return request.name().substring(0, request.name().length() - "Request".length());
    }

    private static String constantName(MessageSpec request) {
        return apiName(request).replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
    }

    private static CodeBlock arguments(MessageSpec request) {
        Versions versions = request.root().versions();
        Versions flexible = request.root().flexible();
        ClassName in = ClassName.get(JavaTypes.MESSAGE_PACKAGE, request.name());
        ClassName out = ClassName.get(JavaTypes.MESSAGE_PACKAGE, apiName(request) + "Response");
        return CodeBlock.of(
                "$L, $S, $L, $L, $L, $L,\n$T::new, $T::read, $T::new, $T::read",
                request.apiKey(),
                apiName(request),
                versions.low(),
                versions.high(),
                flexible.isEmpty() ? "Short.MAX_VALUE" : String.valueOf(flexible.low()),
                request.latestVersionUnstable(),
                in,
                in,
                out,
                out);
    }

    private static void addTable(TypeSpec.Builder type, int highest) {
        TypeName table = ArrayTypeName.of(JavaTypes.nullable(SELF));
        type.addField(FieldSpec.builder(table, "BY_ID", Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL)
                .initializer("new ApiKey[$L]", highest + 1)
                .build());
        type.addStaticBlock(CodeBlock.builder()
                .beginControlFlow("for (ApiKey key : values())")
                .addStatement("BY_ID[key.id] = key")
                .endControlFlow()
                .build());
        type.addMethod(MethodSpec.methodBuilder("forId")
                .addJavadoc("Null where no client-facing API has the id.\n")
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .returns(JavaTypes.nullable(SELF))
                .addParameter(TypeName.INT, "id")
                .addStatement("return id < 0 || id >= BY_ID.length ? null : BY_ID[id]")
                .build());
    }

    private static void addDecoder(TypeSpec.Builder type) {
        type.addType(TypeSpec.interfaceBuilder("Decoder")
                .addModifiers(Modifier.PRIVATE)
                .addAnnotation(FunctionalInterface.class)
                .addMethod(MethodSpec.methodBuilder("read")
                        .addModifiers(Modifier.PUBLIC, Modifier.ABSTRACT)
                        .returns(JavaTypes.MESSAGE)
                        .addParameter(JavaTypes.READER, "in")
                        .addParameter(TypeName.SHORT, "version")
                        .build())
                .build());
    }

    private static void addConstructor(TypeSpec.Builder type) {
        MethodSpec.Builder constructor = MethodSpec.constructorBuilder();
        addField(type, constructor, TypeName.SHORT, "id");
        addField(type, constructor, JavaTypes.STRING, "apiName");
        addField(type, constructor, TypeName.SHORT, "lowestVersion");
        addField(type, constructor, TypeName.SHORT, "highestVersion");
        addField(type, constructor, TypeName.SHORT, "firstFlexibleVersion");
        addField(type, constructor, TypeName.BOOLEAN, "latestVersionUnstable");
        addField(type, constructor, FACTORY, "requestFactory");
        addField(type, constructor, DECODER, "requestDecoder");
        addField(type, constructor, FACTORY, "responseFactory");
        addField(type, constructor, DECODER, "responseDecoder");
        type.addMethod(constructor.build());
    }

    /** Numbers come as int, for Java has no literal of type short. */
    private static void addField(TypeSpec.Builder type, MethodSpec.Builder constructor, TypeName java, String name) {
        type.addField(java, name, Modifier.PRIVATE, Modifier.FINAL);
        boolean number = java.equals(TypeName.SHORT);
        constructor
                .addParameter(number ? TypeName.INT : java, name)
                .addStatement("this.$L = $L$L", name, number ? "(short) " : "", name);
    }

    private static void addMethods(TypeSpec.Builder type) {
        getter(type, TypeName.SHORT, "id", "The number on the wire.");
        getter(type, JavaTypes.STRING, "apiName", "As the schemas name it, without {@code Request}.");
        getter(type, TypeName.SHORT, "lowestVersion", "The lowest version in the schema.");
        getter(type, TypeName.SHORT, "highestVersion", "The highest version in the schema.");
        getter(
                type,
                TypeName.SHORT,
                "firstFlexibleVersion",
                "From here on compact types and tagged fields; {@code Short.MAX_VALUE} if never.");
        getter(
                type,
                TypeName.BOOLEAN,
                "latestVersionUnstable",
                "Whether the highest version may still change, and is not for production.");
        headers(type);
        method(type, JavaTypes.MESSAGE, "newRequest", "return requestFactory.get()");
        method(type, JavaTypes.MESSAGE, "newResponse", "return responseFactory.get()");
        type.addMethod(reader("readRequest", "requestDecoder"));
        type.addMethod(reader("readResponse", "responseDecoder"));
    }

    private static void headers(TypeSpec.Builder type) {
        type.addMethod(MethodSpec.methodBuilder("hasVersion")
                .addModifiers(Modifier.PUBLIC)
                .returns(TypeName.BOOLEAN)
                .addParameter(TypeName.SHORT, "version")
                .addStatement("return lowestVersion <= version && version <= highestVersion")
                .build());
        type.addMethod(MethodSpec.methodBuilder("requestHeaderVersion")
                .addModifiers(Modifier.PUBLIC)
                .returns(TypeName.SHORT)
                .addParameter(TypeName.SHORT, "version")
                .addStatement("return (short) (version >= firstFlexibleVersion ? 2 : 1)")
                .build());
        type.addMethod(MethodSpec.methodBuilder("responseHeaderVersion")
                .addJavadoc("A client that asks for versions cannot yet know which header to expect: always 0.\n")
                .addModifiers(Modifier.PUBLIC)
                .returns(TypeName.SHORT)
                .addParameter(TypeName.SHORT, "version")
                .addStatement("return (short) (id != $L && version >= firstFlexibleVersion ? 1 : 0)", API_VERSIONS)
                .build());
    }

    private static void getter(TypeSpec.Builder type, TypeName java, String name, String doc) {
        type.addMethod(MethodSpec.methodBuilder(name)
                .addJavadoc(doc + "\n")
                .addModifiers(Modifier.PUBLIC)
                .returns(java)
                .addStatement("return $L", name)
                .build());
    }

    private static void method(TypeSpec.Builder type, TypeName java, String name, String statement) {
        type.addMethod(MethodSpec.methodBuilder(name)
                .addModifiers(Modifier.PUBLIC)
                .returns(java)
                .addStatement(statement)
                .build());
    }

    private static MethodSpec reader(String name, String decoder) {
        return MethodSpec.methodBuilder(name)
                .addModifiers(Modifier.PUBLIC)
                .returns(JavaTypes.MESSAGE)
                .addParameter(JavaTypes.READER, "in")
                .addParameter(TypeName.SHORT, "version")
                .addStatement("return $L.read(in, version)", decoder)
                .build();
    }
}
