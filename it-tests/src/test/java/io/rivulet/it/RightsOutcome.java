package io.rivulet.it;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Message;

/**
 * What a response says about rights, as one line: the error of each resource that it names, and the operations that are
 * allowed. Other fields differ from broker to broker. Stateless.
 */
final class RightsOutcome {
    private static final List<String> NAMES = List.of(
            "name",
            "topicName",
            "topic",
            "groupId",
            "transactionalId",
            "key",
            "resourceName",
            "partition",
            "index",
            "partitionIndex",
            "partitionId");
    /** Lists that no right decides about, or that differ from broker to broker. */
    private static final Set<String> LEFT_OUT = Set.of(
            "configs",
            "members",
            "recordErrors",
            "brokers",
            "apiKeys",
            "supportedFeatures",
            "finalizedFeatures",
            "nodes",
            "nodeEndpoints",
            "currentVoters",
            "observers");

    private static final int NOT_ASKED = Integer.MIN_VALUE;

    private RightsOutcome() {}

    static String of(ApiMessage response) throws IllegalAccessException {
        List<String> found = new ArrayList<>();
        collect(response, "", found);
        Collections.sort(found);
        return found.isEmpty() ? "nothing" : String.join(" ", found);
    }

    private static void collect(Message message, String path, List<String> found) throws IllegalAccessException {
        int before = found.size();
        for (Field field : message.getClass().getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) || LEFT_OUT.contains(field.getName())) {
                continue;
            }
            field.setAccessible(true);
            Object value = field.get(message);
            String name = field.getName().toLowerCase(Locale.ROOT);
            if (name.equals("topicconfigerrorcode")) {
                found.add(path + ".configs=" + value);
            } else if (name.endsWith("errorcode")) {
                found.add(path + "=" + value);
            } else if (name.endsWith("authorizedoperations")
                    && !Integer.valueOf(NOT_ASKED).equals(value)) {
                found.add(path + ".may=" + Integer.toHexString((Integer) value));
            } else if (value instanceof Iterable<?> elements) {
                for (Object element : elements) {
                    if (element instanceof Message inner) {
                        collect(inner, join(path, name(inner)), found);
                    }
                }
            }
        }
        if (found.size() == before && !path.isEmpty()) {
            found.add(path);
        }
    }

    private static String join(String path, String name) {
        return path.isEmpty() || name.isEmpty() ? path + name : path + "/" + name;
    }

    private static String name(Message message) throws IllegalAccessException {
        for (Field field : message.getClass().getDeclaredFields()) {
            if (NAMES.contains(field.getName())) {
                field.setAccessible(true);
                Object value = field.get(message);
                if (value != null && !value.toString().isEmpty()) {
                    return value.toString();
                }
            }
        }
        return "";
    }
}
