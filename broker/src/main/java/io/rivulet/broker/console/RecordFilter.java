package io.rivulet.broker.console;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.protocol.record.RecordHeaders;
import io.rivulet.protocol.record.RecordView;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The records whose key, value or headers contain a text, byte for byte. Immutable.
 *
 * @param part empty for all records
 */
record RecordFilter(ByteBuf part, boolean inKey, boolean inValue, boolean inHeaders) {
    /** Without "in" all places are searched; otherwise it has their first letters: k, v, h. */
    static RecordFilter of(HttpExchange exchange) {
        String where = ConsoleApi.optional(exchange, "in");
        byte[] part = ConsoleApi.optional(exchange, "contains").getBytes(StandardCharsets.UTF_8);
        return new RecordFilter(
                Unpooled.wrappedBuffer(part),
                where.isEmpty() || where.contains("k"),
                where.isEmpty() || where.contains("v"),
                where.isEmpty() || where.contains("h"));
    }

    boolean isForAll() {
        return !part.isReadable();
    }

    boolean matches(RecordView record) {
        return isForAll()
                || (inKey && isIn(record.key()))
                || (inValue && isIn(record.value()))
                || (inHeaders && isInHeaders(record));
    }

    private boolean isInHeaders(RecordView record) {
        RecordHeaders headers = record.headers();
        while (headers.next()) {
            if (isIn(record.buffer().slice(headers.keyIndex(), headers.keyLength())) || isIn(headers.value())) {
                return true;
            }
        }
        return false;
    }

    private boolean isIn(@Nullable ByteBuf bytes) {
        return bytes != null && ByteBufUtil.indexOf(part, bytes) >= 0;
    }
}
