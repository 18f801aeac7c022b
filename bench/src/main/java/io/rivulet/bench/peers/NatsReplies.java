package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import java.nio.ByteBuffer;

/**
 * Reads what a NATS server sends. An answer is a message to {@code r.N}, where N is the number of the request.
 *
 * <p>Owned by: one thread.
 */
final class NatsReplies {
    private static final byte[] ERROR = Text.ascii("\"error\":");

    private boolean pinged;
    private String payload = "";
    private boolean keeps;

    /** Whether the server has sent a PING since the last call. */
    boolean takePing() {
        boolean was = pinged;
        pinged = false;
        return was;
    }

    /** Whether to keep the payload of answers. */
    void keep(boolean wanted) {
        keeps = wanted;
    }

    /** The payload of the last answer. */
    String payload() {
        return payload;
    }

    /** Reads a message or a line. Returns false and moves nothing if it is not complete. */
    boolean next(ByteBuffer in, PeerConnection.Answers answers) throws BrokerFailedException {
        int start = in.position();
        int end = Text.endOfLine(in, start);
        if (end < 0) {
            return false;
        }
        if (startsWith(in, start, "MSG ")) {
            return message(in, start, end, answers);
        }
        String line = Text.string(in, start, end);
        if (line.startsWith("HMSG ")) {
            throw new BrokerFailedException("nothing answers " + line); // headers come with errors only
        } else if (line.startsWith("-ERR")) {
            throw new BrokerFailedException("answers " + line);
        } else if (line.equals("PING")) {
            pinged = true;
        } else if (!line.startsWith("INFO ") && !line.equals("PONG") && !line.equals("+OK")) {
            throw new BrokerFailedException("sends " + line);
        }
        in.position(end + 2);
        return true;
    }

    /** {@code MSG subject sid bytes}, or with the subject of a reply after sid, which answers do not have. */
    private boolean message(ByteBuffer in, int start, int end, PeerConnection.Answers answers)
            throws BrokerFailedException {
        int endOfSubject = start + 4;
        while (in.get(endOfSubject) != ' ') {
            endOfSubject++;
        }
        int size = end;
        while (in.get(size - 1) != ' ') {
            size--;
        }
        int from = end + 2;
        int to = from + (int) Text.number(in, size, end);
        if (to + 2 > in.limit()) {
            return false;
        }
        String kept = keeps ? Text.string(in, from, to) : null;
        check(in, from, to);
        if (kept != null) {
            payload = kept;
        }
        in.position(to + 2);
        answers.answered(Text.number(in, start + "MSG r.".length(), endOfSubject), 0);
        return true;
    }

    private static void check(ByteBuffer in, int from, int to) throws BrokerFailedException {
        if (contains(in, from, to)) {
            throw new BrokerFailedException("answers " + Text.string(in, from, Math.min(to, from + 200)));
        }
    }

    /** Errors come first in an answer, after at most its type. */
    private static boolean contains(ByteBuffer in, int from, int to) {
        int last = Math.min(to, from + 100) - ERROR.length;
        for (int at = from; at <= last; at++) {
            int same = 0;
            while (same < ERROR.length && in.get(at + same) == ERROR[same]) {
                same++;
            }
            if (same == ERROR.length) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWith(ByteBuffer in, int from, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (in.get(from + i) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
