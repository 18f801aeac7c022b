package io.rivulet.protocol.generator.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import java.util.List;
import java.util.function.Function;
import javax.lang.model.element.Modifier;

/** Emits the methods that read, size and write a struct. {@link TagEmitter} emits those for tagged fields. */
final class CodecEmitter {
    private final MessageSpec message;
    private final StructSpec struct;
    private final ClassName self;
    private final FieldCode code;
    private final TagEmitter tags;
    private final CodeBlock requireVersion;

    CodecEmitter(MessageSpec message, StructSpec struct, ClassName self) {
        this.message = message;
        this.struct = struct;
        this.self = self;
        this.code = new FieldCode(message, struct);
        this.tags = new TagEmitter(code);
        String check = "$T.requireVersion($S, version, LOWEST_VERSION, HIGHEST_VERSION);\n";
        this.requireVersion = isRoot() ? CodeBlock.of(check, JavaTypes.SIZE, struct.name()) : CodeBlock.of("");
    }

    private boolean isRoot() {
        return struct.equals(message.root());
    }

    void addTo(TypeSpec.Builder type) {
        if (isRoot()) {
            type.addMethod(readFrame());
        }
        if (isRoot() || message.isUsed(struct, FieldSpec::isStruct)) {
            type.addMethod(read());
        }
        if (message.isUsed(struct, FieldSpec::isStructArray)) {
            type.addMethod(readList());
        }
        type.addMethod(sizeInBytes()).addMethod(write());
        tags.addTo(type);
        if (message.holdsRecords(struct)) {
            type.addMethod(gatheredBytes());
        }
    }

    private MethodSpec readFrame() {
        return JavaTypes.method(Modifier.PUBLIC, self, "read", "frame", "version")
                .addModifiers(Modifier.STATIC)
                .addJavadoc("Reads {@code frame}, which must contain this message and nothing else.\n")
                .addStatement("$T in = new $T(frame)", JavaTypes.READER, JavaTypes.READER)
                .addStatement("$T m = read(in, version)", self)
                .addStatement("in.expectEnd($S)", struct.path())
                .addStatement("return m")
                .build();
    }

    private MethodSpec read() {
        return JavaTypes.method(Modifier.PUBLIC, self, "read", "in", "version")
                .addModifiers(Modifier.STATIC)
                .addCode(requireVersion)
                .addStatement("$T m = new $T()", self, self)
                .addCode(Conditions.declareFlexible(struct, readFields()))
                .addStatement("return m")
                .build();
    }

    /**
     * The reader of the count has checked it and charged the budget. The loop reads the fields without a call, because
     * the compiler might not inline it, and every request spends most of its time here.
     */
    private MethodSpec readList() {
        CodeBlock loop = CodeBlock.of("""
                $1T[] array = new $1T[count];
                for (int i = 0; i < count; i++) {
                    $1T m = new $1T();
                $>$2L$<    array[i] = m;
                }
                return $3T.asList(array);
                """, self, readFields(), JavaTypes.ARRAYS);
        TypeName list = JavaTypes.nullable(ParameterizedTypeName.get(JavaTypes.LIST, self));
        return JavaTypes.method(Modifier.STATIC, list, "readList", "in", "count", "version")
                .beginControlFlow("if (count <= 0)")
                .addStatement("return count < 0 ? null : $T.of()", JavaTypes.LIST)
                .endControlFlow()
                .addCode(Conditions.declareFlexible(struct, loop))
                .build();
    }

    private CodeBlock readFields() {
        CodeBlock plain = inRuns(field -> code.read(field, "m"), run -> code.readRun(run, "m"));
        return CodeBlock.of("$L$L", plain, tags.read());
    }

    private MethodSpec sizeInBytes() {
        int constantBytes = 0;
        CodeBlock.Builder sizes = CodeBlock.builder();
        for (FieldSpec field : struct.plainFields()) {
            if (field.isPrimitive() && field.versions().equals(struct.versions())) {
                constantBytes += field.kind().fixedBytes();
            } else {
                sizes.add(code.whereCarried(field, code.size(field)));
            }
        }
        return JavaTypes.method(Modifier.PUBLIC, TypeName.INT, "sizeInBytes", "version")
                .addAnnotation(Override.class)
                .addCode(requireVersion)
                .addStatement("int size = $L", constantBytes)
                .addCode(Conditions.declareFlexible(
                        struct, sizes.add(tags.size()).build()))
                .addStatement("return size")
                .build();
    }

    private MethodSpec write() {
        CodeBlock fields = CodeBlock.of("$L$L", inRuns(code::write, code::writeRun), tags.write());
        return JavaTypes.method(Modifier.PUBLIC, TypeName.VOID, "write", "out", "version")
                .addAnnotation(Override.class)
                .addCode(Conditions.declareFlexible(struct, fields))
                .build();
    }

    private MethodSpec gatheredBytes() {
        MethodSpec.Builder method = JavaTypes.method(Modifier.PUBLIC, TypeName.INT, "gatheredBytes")
                .addAnnotation(Override.class)
                .addStatement("int size = 0");
        struct.fields().forEach(field -> method.addCode(code.gathered(field)));
        return method.addStatement("return size").build();
    }

    /** Code for the plain fields in order. Adjacent primitive fields of the same versions are one run. */
    private CodeBlock inRuns(Function<FieldSpec, CodeBlock> one, Function<List<FieldSpec>, CodeBlock> together) {
        CodeBlock.Builder all = CodeBlock.builder();
        List<FieldSpec> rest = struct.plainFields();
        while (!rest.isEmpty()) {
            FieldSpec first = rest.get(0);
            int length = 0;
            while (length < rest.size()
                    && rest.get(length).isPrimitive()
                    && rest.get(length).versions().equals(first.versions())) {
                length++;
            }
            CodeBlock fields = length == 0 ? one.apply(first) : together.apply(rest.subList(0, length));
            all.add(Conditions.when(Conditions.carried(struct, first), fields));
            rest = rest.subList(Math.max(1, length), rest.size());
        }
        return all.build();
    }
}
