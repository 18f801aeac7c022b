package io.rivulet.broker.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.rivulet.broker.json.PlainText;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An answer of a page. The exchange that gets it frees the body.
 *
 * @param headers those that every answer has are added
 */
public record HttpAnswer(HttpResponseStatus status, String contentType, Map<String, String> headers, ByteBuf body) {
    public static final String TEXT = "text/plain; charset=utf-8";
    public static final String JSON = "application/json";

    public static HttpAnswer ok(String contentType, ByteBuf body) {
        return new HttpAnswer(HttpResponseStatus.OK, contentType, Map.of(), body);
    }

    /** One line of text. It may name what the client asked for, so it is made plain. */
    public static HttpAnswer text(HttpResponseStatus status, String line) {
        byte[] bytes = (PlainText.of(line) + "\n").getBytes(StandardCharsets.UTF_8);
        return new HttpAnswer(status, TEXT, Map.of(), Unpooled.wrappedBuffer(bytes));
    }
}
