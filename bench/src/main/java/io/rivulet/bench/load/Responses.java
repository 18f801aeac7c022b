package io.rivulet.bench.load;

import io.rivulet.bench.lab.BrokerFailedException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Reads responses and checks them for errors, but does not decode them, to cost little. Owned by: one thread. */
public final class Responses {
    private static final int BUFFER_BYTES = 1 << 20;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).flip();
    private final Check check;

    Responses(Check check) {
        this.check = check;
    }

    /** Checks one response. */
    @FunctionalInterface
    public interface Check {
        /** @param start index of the response, which begins with its length */
        void check(ByteBuffer buffer, int start) throws BrokerFailedException;
    }

    /** Waits until there is at least one response. Returns how many there were. */
    int readSome(ReadableByteChannel channel) throws IOException, BrokerFailedException {
        int count = 0;
        while (count == 0) {
            buffer.compact();
            if (channel.read(buffer) < 0) {
                throw new EOFException("the broker closed the connection");
            }
            buffer.flip();
            while (buffer.remaining() >= Integer.BYTES
                    && buffer.remaining() >= Integer.BYTES + buffer.getInt(buffer.position())) {
                int start = buffer.position();
                check.check(buffer, start);
                buffer.position(start + Integer.BYTES + buffer.getInt(start));
                count++;
            }
        }
        return count;
    }

    /** Drops what was received. Only after an error, and if no other response is expected. */
    void skip() {
        buffer.position(buffer.limit());
    }
}
