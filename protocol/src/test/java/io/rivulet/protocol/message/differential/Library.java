package io.rivulet.protocol.message.differential;

import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An implementation of the messages, with access to their fields by name. */
abstract class Library {
    private final Map<Class<?>, Map<String, Method>> methods = new ConcurrentHashMap<>();

    abstract Class<?> messageClass(MessageSpec message);

    abstract String setterName(String field);

    /** Converts a value to the library's type. Not for structs. */
    abstract Object toLibrary(FieldSpec field, Class<?> type, Object value);

    /** Converts a value from the library's type. Not for structs. */
    abstract Object toTree(FieldSpec field, Object value);

    abstract void setTags(Object struct, List<Tree.Tag> tags) throws ReflectiveOperationException;

    abstract List<Tree.Tag> tags(Object struct) throws ReflectiveOperationException;

    abstract byte[] write(Object message, int version);

    abstract Object read(MessageSpec message, byte[] bytes, int version);

    abstract int sizeInBytes(Object message, int version);

    final Object build(MessageSpec message, Map<String, Object> tree) {
        try {
            return build(message, message.root(), messageClass(message), tree);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(message.name(), e);
        }
    }

    private Object build(MessageSpec message, StructSpec spec, Class<?> type, Map<String, Object> tree)
            throws ReflectiveOperationException {
        Object struct = type.getDeclaredConstructor().newInstance();
        for (FieldSpec field : spec.fields()) {
            if (tree.containsKey(field.name())) {
                Method setter = method(type, setterName(field.name()), 1);
                Class<?> fieldType = setter.getParameterTypes()[0];
                setter.invoke(struct, convert(message, field, fieldType, tree.get(field.name())));
            }
        }
        if (!Tree.tags(tree).isEmpty()) {
            setTags(struct, Tree.tags(tree));
        }
        return struct;
    }

    private Object convert(MessageSpec message, FieldSpec field, Class<?> type, Object value)
            throws ReflectiveOperationException {
        if (value == null) {
            return null;
        }
        if (field.isStruct()) {
            return build(message, message.struct(field), type, Tree.asStruct(value));
        }
        if (field.isStructArray()) {
            Class<?> element = Schemas.nested(messageClass(message), field.struct());
            List<Object> list = new ArrayList<>();
            for (Object one : Tree.asList(value)) {
                list.add(build(message, message.struct(field), element, Tree.asStruct(one)));
            }
            return collection(type, list);
        }
        return toLibrary(field, type, value);
    }

    abstract Object collection(Class<?> type, List<Object> list) throws ReflectiveOperationException;

    /** Returns all fields of the schema, set or not. */
    final Map<String, Object> tree(MessageSpec message, Object object) {
        try {
            return tree(message, message.root(), object);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(message.name(), e);
        }
    }

    private Map<String, Object> tree(MessageSpec message, StructSpec spec, Object struct)
            throws ReflectiveOperationException {
        Map<String, Object> tree = Tree.struct();
        for (FieldSpec field : spec.fields()) {
            Object value =
                    method(struct.getClass(), getterName(field.name()), 0).invoke(struct);
            tree.put(field.name(), value == null ? null : treeValue(message, field, value));
        }
        tree.put(Tree.TAGS, tags(struct));
        return tree;
    }

    String getterName(String field) {
        return field;
    }

    private Object treeValue(MessageSpec message, FieldSpec field, Object value) throws ReflectiveOperationException {
        if (field.isStruct()) {
            return tree(message, message.struct(field), value);
        }
        if (field.isStructArray()) {
            List<Object> list = new ArrayList<>();
            for (Object one : (Iterable<?>) value) {
                list.add(tree(message, message.struct(field), one));
            }
            return list;
        }
        return toTree(field, value);
    }

    final Method method(Class<?> type, String name, int parameters) {
        return methods.computeIfAbsent(type, key -> new ConcurrentHashMap<>())
                .computeIfAbsent(
                        name + "/" + parameters,
                        key -> Arrays.stream(type.getMethods())
                                .filter(method ->
                                        method.getName().equals(name) && method.getParameterCount() == parameters)
                                .findFirst()
                                .orElseThrow(() -> new IllegalStateException(type.getName() + " has no " + name)));
    }
}
