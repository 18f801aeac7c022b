package io.rivulet.broker.console;

import io.netty.buffer.Unpooled;
import io.rivulet.broker.http.HttpAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files of the page, from the jar. Only those that are listed here exist. Stateless. */
final class PageFiles {
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";

    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("index.html", "text/html; charset=utf-8"),
            Map.entry("style.css", STYLE),
            Map.entry("icon.svg", "image/svg+xml"),
            Map.entry("app.js", SCRIPT),
            Map.entry("base.js", SCRIPT),
            Map.entry("overview.js", SCRIPT),
            Map.entry("topics.js", SCRIPT),
            Map.entry("messages.js", SCRIPT),
            Map.entry("groups.js", SCRIPT),
            Map.entry("settings.js", SCRIPT),
            Map.entry("produce.js", SCRIPT),
            Map.entry("transactions.js", SCRIPT),
            Map.entry("connections.js", SCRIPT),
            Map.entry("storage.js", SCRIPT),
            Map.entry("access.js", SCRIPT),
            Map.entry("lib/preact.js", SCRIPT),
            Map.entry("lib/uplot.js", SCRIPT),
            Map.entry("lib/uplot.css", STYLE),
            Map.entry("lib/LICENSES.txt", HttpAnswer.TEXT));

    private PageFiles() {}

    /** Null if there is no such file. */
    static @Nullable HttpAnswer find(String name) {
        String file = name.isEmpty() ? "index.html" : name;
        String type = TYPES.get(file);
        return type == null ? null : HttpAnswer.ok(type, Unpooled.wrappedBuffer(bytes(file)));
    }

    private static byte[] bytes(String file) {
        try (InputStream in = PageFiles.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no " + file);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
