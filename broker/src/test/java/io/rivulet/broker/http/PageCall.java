package io.rivulet.broker.http;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Calls a page without a server. */
public final class PageCall {
    private static final long HEAP_BYTES = 64 << 20;

    private PageCall() {}

    /** Returns the status and the text of a page that answers at once. */
    public static String of(Consumer<HttpExchange> page) {
        EmbeddedChannel channel = new EmbeddedChannel();
        FullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        page.accept(new HttpExchange(channel, request, new OpenConnections(HEAP_BYTES), () -> {}));
        FullHttpResponse response = channel.readOutbound();
        try {
            return response.status().code() + " " + response.content().toString(StandardCharsets.UTF_8);
        } finally {
            response.release();
            request.release();
            channel.finishAndReleaseAll();
        }
    }
}
