package io.rivulet.prove.hostile;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The fields of generated messages. Thread-safe. */
final class Fields {
    private static final Map<Class<?>, List<Field>> KNOWN = new ConcurrentHashMap<>();

    private Fields() {}

    static List<Field> of(Class<?> type) {
        return KNOWN.computeIfAbsent(type, absent -> {
            List<Field> fields = Arrays.stream(type.getDeclaredFields())
                    .filter(field -> !Modifier.isStatic(field.getModifiers()))
                    .toList();
            fields.forEach(field -> field.setAccessible(true));
            return fields;
        });
    }

    static @Nullable Object get(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    static void set(Field field, Object of, @Nullable Object value) {
        try {
            field.set(of, value);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    static Object make(Class<?> type) {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
