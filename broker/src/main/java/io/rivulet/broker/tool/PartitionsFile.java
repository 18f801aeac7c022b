package io.rivulet.broker.tool;

import io.rivulet.broker.client.ClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the JSON files of Kafka's tools: {@code {"partitions": [{"topic": "a", "partition": 0, ...}]}}. */
final class PartitionsFile {
    private PartitionsFile() {}

    /** A partition in the file, with the other values of its object. */
    record Entry(String topic, int partition, Map<?, ?> values) {
        long number(String key) {
            return PartitionsFile.number(values, key);
        }

        int[] numbers(String key) {
            List<Integer> numbers = new ArrayList<>();
            for (Object number : list(values, key)) {
                numbers.add(number instanceof Long value ? Math.toIntExact(value) : -1);
            }
            return numbers.stream().mapToInt(Integer::intValue).toArray();
        }

        @Override
        public String toString() {
            return topic + "-" + partition;
        }
    }

    static Map<String, List<Entry>> byTopic(Path file) throws IOException {
        Map<String, List<Entry>> topics = new LinkedHashMap<>();
        for (Object partition : list(object(Json.parse(Files.readString(file))), "partitions")) {
            Map<?, ?> values = object(partition);
            Entry entry = new Entry(text(values, "topic"), Math.toIntExact(number(values, "partition")), values);
            topics.computeIfAbsent(entry.topic, name -> new ArrayList<>()).add(entry);
        }
        return topics;
    }

    /** The names in {@code {"topics": [{"topic": "a"}]}}. */
    static List<String> topics(Path file) throws IOException {
        List<String> topics = new ArrayList<>();
        for (Object topic : list(object(Json.parse(Files.readString(file))), "topics")) {
            topics.add(text(object(topic), "topic"));
        }
        return topics;
    }

    private static Map<?, ?> object(@Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            return object;
        }
        throw new ClientException("the file must have a JSON object where it has " + value);
    }

    private static List<?> list(Map<?, ?> object, String key) {
        if (object.get(key) instanceof List<?> list) {
            return list;
        }
        throw new ClientException("the file has no list '" + key + "'");
    }

    private static String text(Map<?, ?> object, String key) {
        if (object.get(key) instanceof String text) {
            return text;
        }
        throw new ClientException("an object of the file has no text '" + key + "'");
    }

    private static long number(Map<?, ?> object, String key) {
        if (object.get(key) instanceof Long number) {
            return number;
        }
        throw new ClientException("an object of the file has no number '" + key + "'");
    }
}
