package io.rivulet.broker.top;

import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.config.HostPort;
import io.rivulet.broker.json.PlainText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the page /metrics with HTTP/1.0, whose answers have no chunks. The limits of time and size hold for the
 * whole answer: a server that sends a byte now and then does not keep it waiting.
 *
 * <p>Immutable. Blocking.
 */
final class MetricsPage {
    static final int MAX_BYTES = 32 << 20;

    /** Longer than a sample whose label has 32 KiB of characters that are escaped. */
    static final int MAX_LINE_BYTES = 128 << 10;

    private static final int MAX_HEADERS = 100;
    private static final int MAX_REASON = 200;
    private static final int OK = 200;
    private static final long UNTIL_THE_END = Long.MAX_VALUE;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([0-9]{3})( .*)?");

    private final HostPort place;
    private final Duration patience;

    MetricsPage(HostPort place, Duration patience) {
        this.place = place;
        this.patience = patience;
    }

    /**
     * Reads the page.
     *
     * @param lines gets each line
     * @throws ClientException if there is no such page; the message says why
     */
    void read(Consumer<String> lines) {
        try (Socket socket = new Socket()) {
            long endNanos = System.nanoTime() + patience.toNanos();
            InetSocketAddress address = place.socketAddress();
            if (address.isUnresolved()) {
                throw new ClientException("the host of " + place + " is unknown");
            }
            socket.connect(address, (int) patience.toMillis());
            socket.getOutputStream().write(request().getBytes(StandardCharsets.ISO_8859_1));
            BoundedLines answer = new BoundedLines(socket, endNanos, MAX_BYTES, MAX_LINE_BYTES);
            int status = status(answer);
            long bytes = headers(answer);
            if (status != OK) {
                throw new ClientException(place + " answered " + status + reason(bytes == 0 ? null : answer.next()));
            }
            body(answer, bytes, lines);
        } catch (SocketTimeoutException e) {
            throw new ClientException("no response from " + place + " within " + patience.toMillis() + " ms");
        } catch (IOException e) {
            throw new ClientException("can't read http://" + place + "/metrics: " + e.getMessage());
        }
    }

    private String request() {
        return "GET /metrics HTTP/1.0\r\nHost: " + place + "\r\nUser-Agent: rivulet-top\r\n\r\n";
    }

    private int status(BoundedLines answer) throws IOException {
        Matcher matcher = STATUS.matcher(firstLine(answer).stripTrailing());
        if (!matcher.matches()) {
            throw noMetrics("what listens there does not speak HTTP, or has closed the connection");
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** Empty if there is none: a port of Kafka closes the connection when it reads this request. */
    private static String firstLine(BoundedLines answer) throws IOException {
        try {
            String line = answer.next();
            return line == null ? "" : line;
        } catch (SocketException e) {
            return "";
        }
    }

    /** Returns the length of the body. */
    private long headers(BoundedLines answer) throws IOException {
        long bytes = UNTIL_THE_END;
        int count = 0;
        for (String header = answer.next(); header != null && !header.isBlank(); header = answer.next()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (++count > MAX_HEADERS) {
                throw noMetrics("the response has more than " + MAX_HEADERS + " headers");
            }
            if (lower.startsWith("content-length:")) {
                bytes = length(lower.substring(lower.indexOf(':') + 1).strip());
            } else if (lower.startsWith("transfer-encoding:") || lower.startsWith("content-encoding:")) {
                throw noMetrics("the response has an encoding that was not asked for");
            }
        }
        return bytes;
    }

    private long length(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw noMetrics("the response has no valid Content-Length");
        }
    }

    private void body(BoundedLines answer, long bytes, Consumer<String> lines) throws IOException {
        long left = bytes;
        while (left > 0) {
            String line = answer.next();
            if (line == null) {
                break;
            }
            left -= answer.lineBytes();
            lines.accept(line);
        }
        if (bytes != UNTIL_THE_END && left > 0) {
            throw new ClientException("the page of " + place + " ended early");
        }
    }

    private static String reason(@Nullable String line) {
        return line == null ? "" : ": " + PlainText.of(line.substring(0, Math.min(MAX_REASON, line.length())));
    }

    /** Something listens, but not the pages of a broker. */
    ClientException noMetrics(String why) {
        return new ClientException("no metrics of Rivulet at " + place + ": " + why
                + ". The broker's ready line has the address of its pages");
    }
}
