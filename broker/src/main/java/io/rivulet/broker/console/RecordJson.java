package io.rivulet.broker.console;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.rivulet.protocol.record.RecordHeaders;
import io.rivulet.protocol.record.RecordView;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Writes records as JSON. Bytes that are UTF-8 are text, those with a zero and others are base64. Pure functions. */
final class RecordJson {
    private static final int MOST_HEADERS = 100;
    /** How many times the bytes of a field all headers together may have. */
    private static final int HEADER_FIELDS = 4;

    private RecordJson() {}

    /** @param mostBytes of the key, the value and each header; what is longer is cut, and further headers omitted */
    static String of(int partition, RecordView record, boolean transactional, int mostBytes) {
        JsonWriter json = new JsonWriter()
                .object()
                .field("partition", partition)
                .field("offset", record.offset())
                .field("time", record.timestamp());
        if (transactional) {
            json.field("transactional", true);
        }
        bytes(json.key("key"), record.key(), mostBytes);
        bytes(json.key("value"), record.value(), mostBytes);
        json.key("headers").array();
        RecordHeaders headers = record.headers();
        int shown = 0;
        for (long left = (long) HEADER_FIELDS * mostBytes;
                left > 0 && shown < MOST_HEADERS && headers.next();
                shown++) {
            ByteBuf name = record.buffer().slice(headers.keyIndex(), headers.keyLength());
            ByteBuf value = headers.value();
            json.object();
            bytes(json.key("key"), name, mostBytes);
            bytes(json.key("value"), value, mostBytes);
            json.endObject();
            left -= headers.keyLength() + (value == null ? 0 : value.readableBytes());
        }
        json.endArray();
        if (shown < record.headerCount()) {
            json.field("headerCount", record.headerCount());
        }
        return json.endObject().toString();
    }

    /** Records that can't be shown. */
    static String hidden(int partition, long offset, int count, String why) {
        return new JsonWriter()
                .object()
                .field("partition", partition)
                .field("offset", offset)
                .field("count", count)
                .field("hidden", why)
                .endObject()
                .toString();
    }

    private static void bytes(JsonWriter json, @Nullable ByteBuf bytes, int most) {
        if (bytes == null) {
            json.value(null);
            return;
        }
        int size = bytes.readableBytes();
        int shown = Math.min(size, most);
        json.object().field("size", size);
        String text = text(bytes.nioBuffer(bytes.readerIndex(), shown), shown == size);
        if (text != null) {
            json.field("text", text);
        } else {
            byte[] some = ByteBufUtil.getBytes(bytes, bytes.readerIndex(), shown);
            json.field("base64", Base64.getEncoder().encodeToString(some));
        }
        if (shown < size) {
            json.field("cut", true);
        }
        json.endObject();
    }

    /** Null if the bytes are not UTF-8. Those of a character that was cut at the end are left out. */
    private static @Nullable String text(ByteBuffer bytes, boolean whole) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer text = CharBuffer.allocate(bytes.remaining());
        CoderResult result = decoder.decode(bytes, text, whole);
        String decoded = text.flip().toString();
        return result.isError() || decoded.indexOf('\0') >= 0 ? null : decoded;
    }
}
