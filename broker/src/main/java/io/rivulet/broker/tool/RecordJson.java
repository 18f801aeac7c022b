package io.rivulet.broker.tool;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.record.RecordHeaders;
import io.rivulet.protocol.record.RecordView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A record as JSON. Bytes that are no UTF-8 are in base64, under a name of their own. Stateless. */
final class RecordJson {
    private RecordJson() {}

    static Map<String, @Nullable Object> of(String topic, int partition, RecordView record) {
        Map<String, @Nullable Object> json = JsonText.object(
                "topic", topic, "partition", partition, "offset", record.offset(), "timestamp", record.timestamp());
        put(json, "key", record.key());
        put(json, "value", record.value());
        List<Map<String, @Nullable Object>> headers = new ArrayList<>();
        RecordHeaders each = record.headers();
        while (each.next()) {
            Map<String, @Nullable Object> header = JsonText.object("key", each.key());
            put(header, "value", each.value());
            headers.add(header);
        }
        json.put("headers", headers);
        return json;
    }

    private static void put(Map<String, @Nullable Object> json, String name, @Nullable ByteBuf bytes) {
        if (bytes == null) {
            json.put(name, null);
        } else if (ByteBufUtil.isText(bytes, StandardCharsets.UTF_8)) {
            json.put(name, bytes.toString(StandardCharsets.UTF_8));
        } else {
            json.put(name + "Base64", Base64.getEncoder().encodeToString(ByteBufUtil.getBytes(bytes)));
        }
    }
}
