package io.rivulet.broker.top;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The lines that a socket receives, with limits on the time and the size of all of them and on the size of each.
 *
 * <p>Owned by: one thread.
 */
final class BoundedLines {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Socket socket;
    private final InputStream in;
    private final long endNanos;
    private final int maxBytes;
    private final int maxLineBytes;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int end;
    private int received;
    private int lineBytes;

    BoundedLines(Socket socket, long endNanos, int maxBytes, int maxLineBytes) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.endNanos = endNanos;
        this.maxBytes = maxBytes;
        this.maxLineBytes = maxLineBytes;
    }

    /**
     * The next line, without its end; null at the end.
     *
     * @throws SocketTimeoutException if the time is over
     * @throws IOException if there is too much, or the connection has failed
     */
    @Nullable
    String next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        lineBytes = 0;
        while (at < end || receive()) {
            int from = at;
            while (at < end && buffer[at] != '\n') {
                at++;
            }
            line.write(buffer, from, at - from);
            lineBytes += at - from;
            if (lineBytes > maxLineBytes) {
                throw new IOException("a line has more than " + maxLineBytes + " bytes");
            }
            if (at < end) {
                at++;
                lineBytes++;
                return line.toString(StandardCharsets.UTF_8);
            }
        }
        return lineBytes == 0 ? null : line.toString(StandardCharsets.UTF_8);
    }

    /** Bytes of the last line, with its end. */
    int lineBytes() {
        return lineBytes;
    }

    /** False at the end. */
    private boolean receive() throws IOException {
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
        if (leftMillis <= 0) {
            throw new SocketTimeoutException();
        }
        socket.setSoTimeout((int) leftMillis);
        at = 0;
        end = Math.max(0, in.read(buffer));
        received += end;
        if (received > maxBytes) {
            throw new IOException("the page has more than " + maxBytes + " bytes");
        }
        return end > 0;
    }
}
