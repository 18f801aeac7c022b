package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads answers of RocketMQ, whose headers are JSON. Stateless. */
final class RemotingReplies {
    private static final int LENGTH_MASK = 0xFF_FFFF;
    /** Added to the number of a request, because JSON has no leading zeros. */
    private static final long FIRST_NUMBER = 1_000_000_000;

    private static final byte[] SUCCESS = Text.ascii("\"code\":0,");
    private static final byte[] NUMBER = Text.ascii("\"opaque\":");
    private static final Pattern OFFSET = Pattern.compile("\"offset\":\"?([0-9]+)");
    private static final byte[] OFFSET_KEY = Text.ascii("\"offset\":");

    private RemotingReplies() {}

    /** Reads an answer. Returns false and moves nothing if it is not complete. */
    static boolean next(ByteBuffer in, PeerConnection.Answers answers) throws BrokerFailedException {
        int start = in.position();
        if (in.remaining() < 2 * Integer.BYTES || in.remaining() < Integer.BYTES + in.getInt(start)) {
            return false;
        }
        int from = start + 2 * Integer.BYTES;
        int to = from + (in.getInt(start + Integer.BYTES) & LENGTH_MASK);
        if (find(in, from, to, SUCCESS) < 0) {
            throw new BrokerFailedException("answers " + Text.string(in, from, to));
        }
        int number = find(in, from, to, NUMBER);
        if (number < 0) {
            throw new BrokerFailedException("an answer without a number: " + Text.string(in, from, to));
        }
        int end = number;
        while (in.get(end) >= '0' && in.get(end) <= '9') {
            end++;
        }
        long value = find(in, from, to, OFFSET_KEY) < 0 ? 0 : offset(Text.string(in, from, to));
        in.position(start + Integer.BYTES + in.getInt(start));
        answers.answered(Text.number(in, number, end) - FIRST_NUMBER, value);
        return true;
    }

    private static long offset(String header) {
        Matcher offset = OFFSET.matcher(header);
        return offset.find() ? Long.parseLong(offset.group(1)) : 0;
    }

    /** Index after the first occurrence, or -1. */
    private static int find(ByteBuffer in, int from, int to, byte[] wanted) {
        for (int at = from; at <= to - wanted.length; at++) {
            int same = 0;
            while (same < wanted.length && in.get(at + same) == wanted[same]) {
                same++;
            }
            if (same == wanted.length) {
                return at + same;
            }
        }
        return -1;
    }
}
