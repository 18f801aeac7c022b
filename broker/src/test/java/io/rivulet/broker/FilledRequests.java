package io.rivulet.broker;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.Struct;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Locale;

/** Requests that name one resource in each place where they can name one: "x". Stateless. */
final class FilledRequests {
    private static final String NAME = "x";
    private static final byte OF_TOPIC = 2;

    private FilledRequests() {}

    static Message of(ApiKey key) throws ReflectiveOperationException {
        StringBuilder name = new StringBuilder();
        for (String word : key.name().split("_")) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return (Message) filled(Class.forName(ApiKey.class.getPackageName() + "." + name + "Request"));
    }

    private static Object filled(Class<?> type) throws ReflectiveOperationException {
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object struct = constructor.newInstance();
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                fill(struct, field);
            }
        }
        return struct;
    }

    private static void fill(Object struct, Field field) throws ReflectiveOperationException {
        Class<?> type = field.getType();
        if (type == String.class) {
            field.set(struct, NAME);
        } else if (type == int[].class) {
            field.set(struct, new int[1]);
        } else if (Struct.class.isAssignableFrom(type)) {
            field.set(struct, filled(type));
        } else if (field.getGenericType() instanceof ParameterizedType list && type == List.class) {
            Type element = list.getActualTypeArguments()[0];
            field.set(struct, List.of(element == String.class ? NAME : filled((Class<?>) element)));
        } else if (field.getName().equals("resourceType")) {
            field.set(struct, OF_TOPIC);
        } else if (field.getName().equals("acks")) {
            field.set(struct, (short) -1); // else there is no answer
        }
    }
}
