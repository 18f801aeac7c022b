package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.Versions;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import javax.lang.model.element.Modifier;

/** Emits the enum of the APIs that a client may call: a table, whose methods are in {@code wire.Api}. */
public final class ApiKeyEmitter {
    private static final ClassName SELF = ClassName.get(JavaTypes.MESSAGE_PACKAGE, "ApiKey");
    private static final ClassName API = JavaTypes.wire("Api");
    private static final ClassName FACTS = API.nestedClass("Facts");

    private ApiKeyEmitter() {}

    public static TypeSpec emit(List<MessageSpec> messages) {
        List<MessageSpec> requests = messages.stream()
                .filter(message -> message.kind() == MessageSpec.Kind.REQUEST)
                .sorted(Comparator.comparingInt(MessageSpec::apiKey))
                .toList();
        TypeSpec.Builder type = TypeSpec.enumBuilder(SELF)
                .addAnnotation(JavaTypes.GENERATED)
                .addJavadoc("The APIs that brokers offer to clients. A broker may serve fewer versions.\n")
                .addModifiers(Modifier.PUBLIC)
                .addSuperinterface(API);
        requests.forEach(request -> type.addEnumConstant(
                constantName(request),
                TypeSpec.anonymousClassBuilder(facts(request)).build()));
        TypeName table = ArrayTypeName.of(JavaTypes.nullable(SELF));
        return type.addField(FieldSpec.builder(table, "BY_ID", Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL)
                        .initializer("$T.byId(values(), ApiKey[]::new)", API)
                        .build())
                .addField(FACTS, "facts", Modifier.PRIVATE, Modifier.FINAL)
                .addMethod(MethodSpec.constructorBuilder()
                        .addParameter(FACTS, "facts")
                        .addStatement("this.facts = facts")
                        .build())
                .addMethod(JavaTypes.method(Modifier.PUBLIC, JavaTypes.nullable(SELF), "forId")
                        .addJavadoc("Null if no client-facing API has the id.\n")
                        .addModifiers(Modifier.STATIC)
                        .addParameter(TypeName.INT, "id")
                        .addStatement("return id < 0 || id >= BY_ID.length ? null : BY_ID[id]")
                        .build())
                .addMethod(JavaTypes.method(Modifier.PUBLIC, FACTS, "facts")
                        .addAnnotation(Override.class)
                        .addStatement("return facts")
                        .build())
                .addMethod(read("Request", requests))
                .addMethod(read("Response", requests))
                .build();
    }

    /** A switch, because a table of method references would load the classes of all messages at each start. */
    private static MethodSpec read(String kind, List<MessageSpec> requests) {
        CodeBlock.Builder body = CodeBlock.builder().beginControlFlow("return switch (facts.id())");
        for (MessageSpec request : requests) {
            ClassName message = ClassName.get(JavaTypes.MESSAGE_PACKAGE, apiName(request) + kind);
            body.addStatement("case $L -> $T.read(in, version)", request.apiKey(), message);
        }
        body.addStatement("default -> throw new $T(name())", IllegalStateException.class);
        return JavaTypes.method(Modifier.PUBLIC, JavaTypes.wire("Message"), "read" + kind, "in", "version")
                .addAnnotation(Override.class)
                .addCode(body.unindent().add("};\n").build())
                .build();
    }

    private static String apiName(MessageSpec request) {
        return request.name().substring(0, request.name().length() - "Request".length());
    }

    private static String constantName(MessageSpec request) {
        return apiName(request).replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
    }

    private static CodeBlock facts(MessageSpec request) {
        Versions versions = request.root().versions();
        Versions flexible = request.root().flexible();
        return CodeBlock.of(
                "new $T($L, $S, $L, $L, $L, $L)",
                FACTS,
                request.apiKey(),
                apiName(request),
                versions.low(),
                versions.high(),
                flexible.isEmpty() ? "Short.MAX_VALUE" : String.valueOf(flexible.low()),
                request.latestVersionUnstable());
    }
}
