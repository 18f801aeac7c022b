package io.rivulet.bench.peers;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Bytes of text protocols. Stateless. */
final class Text {
    private static final int DIGITS = 7;

    private Text() {}

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String string(ByteBuffer buffer, int from, int to) {
        byte[] bytes = new byte[to - from];
        buffer.get(from, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** The value of each message. */
    static byte[] value() {
        byte[] value = new byte[PeerShape.VALUE_BYTES];
        new SplittableRandom(58).nextBytes(value);
        return value;
    }

    /** Index of the end of the line that begins here, or -1 if it is not complete. */
    static int endOfLine(ByteBuffer buffer, int from) {
        for (int at = from; at + 1 < buffer.limit(); at++) {
            if (buffer.get(at) == '\r' && buffer.get(at + 1) == '\n') {
                return at;
            }
        }
        return -1;
    }

    /** Writes a number with seven digits. */
    static void putDigits(ByteBuffer out, long number) {
        putDigits(out, number, DIGITS);
    }

    static void putDigits(ByteBuffer out, long number, int digits) {
        int start = out.position();
        long left = number;
        for (int at = start + digits - 1; at >= start; at--) {
            out.put(at, (byte) ('0' + left % 10));
            left /= 10;
        }
        out.position(start + digits);
    }

    /** The number whose digits are in {@code [from, to)}. */
    static long number(ByteBuffer buffer, int from, int to) {
        long number = 0;
        for (int at = from; at < to; at++) {
            int digit = buffer.get(at) - '0';
            if (digit < 0 || digit > 9) {
                throw new IllegalArgumentException("no number: " + string(buffer, from, to));
            }
            number = 10 * number + digit;
        }
        return number;
    }
}
