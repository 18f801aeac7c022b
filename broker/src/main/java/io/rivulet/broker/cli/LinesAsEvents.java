package io.rivulet.broker.cli;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.slf4j.event.Level;

/** Makes a log event of each line that is printed. Thread-safe, guarded by its monitor. */
final class LinesAsEvents extends OutputStream {
    private static final int MAX_LINE_BYTES = 8 << 10;

    private final LogOutput out;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    LinesAsEvents(LogOutput out) {
        this.out = out;
    }

    @Override
    public synchronized void write(int oneByte) {
        if (oneByte != '\n') {
            line.write(oneByte);
        }
        if (line.size() == MAX_LINE_BYTES || (oneByte == '\n' && line.size() > 0)) {
            String text = line.toString(StandardCharsets.UTF_8);
            line.reset();
            out.write(LogFormat.Event.now(Level.WARN, "stderr", text, null));
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int at, int length) {
        for (int i = at; i < at + length; i++) {
            write(bytes[i]);
        }
    }
}
