package io.rivulet.it;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** A message that a client has sent or received. Bytes are in hexadecimal. Immutable. */
record Message(long offset, @Nullable String key, @Nullable String value, String headers) {
    private static final HexFormat HEX = HexFormat.of();
    private static final String NULL = "-";

    /** Messages with and without key, value and headers, empty, large, and with all byte values. */
    static List<Message> some(int count) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String key = switch (i % 4) {
                case 0 -> null;
                case 1 -> "";
                default -> hex("key-" + i);
            };
            String value = switch (i % 14) {
                case 7 -> null; // with a key, because kafka-python refuses messages without key and value
                case 1, 8 -> "";
                case 2 -> HEX.formatHex(new byte[] {0, (byte) i, (byte) 0xff, '\n', '\t'});
                default -> hex("value-" + i + "-".repeat(i % 50 == 0 ? 20_000 : i % 50));
            };
            String headers = switch (i % 3) {
                case 0 -> "";
                case 1 -> "i=" + hex(String.valueOf(i)) + ",größe=";
                default -> "twice=" + hex("a") + ",twice=" + hex("b");
            };
            messages.add(new Message(i, key, value, headers));
        }
        return messages;
    }

    static Message of(ConsumerRecord<byte[], byte[]> record) {
        String headers = Arrays.stream(record.headers().toArray())
                .map(header -> header.key() + "=" + HEX.formatHex(header.value()))
                .collect(Collectors.joining(","));
        return new Message(record.offset(), hex(record.key()), hex(record.value()), headers);
    }

    ProducerRecord<byte[], byte[]> toPartition(String topic, int partition) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, partition, bytes(key), bytes(value));
        for (String header : headers.split(",")) {
            if (!header.isEmpty()) {
                String[] nameAndValue = header.split("=", -1);
                record.headers().add(new RecordHeader(nameAndValue[0], HEX.parseHex(nameAndValue[1])));
            }
        }
        return record;
    }

    Message at(long otherOffset) {
        return new Message(otherOffset, key, value, headers);
    }

    static Message parse(String line) {
        String[] fields = line.split("\t", -1);
        return new Message(Long.parseLong(fields[0]), orNull(fields[1]), orNull(fields[2]), fields[3]);
    }

    /** Offset, key, value and headers, separated by tabs; "-" for null, headers as name=value,name=value. */
    String line() {
        return offset + "\t" + lineToSend();
    }

    /** The same without the offset. */
    String lineToSend() {
        return (key == null ? NULL : key) + "\t" + (value == null ? NULL : value) + "\t" + headers;
    }

    private static @Nullable String orNull(String field) {
        return field.equals(NULL) ? null : field;
    }

    private static byte @Nullable [] bytes(@Nullable String hex) {
        return hex == null ? null : HEX.parseHex(hex);
    }

    private static @Nullable String hex(byte @Nullable [] bytes) {
        return bytes == null ? null : HEX.formatHex(bytes);
    }

    private static String hex(String text) {
        return HEX.formatHex(text.getBytes(StandardCharsets.UTF_8));
    }
}
