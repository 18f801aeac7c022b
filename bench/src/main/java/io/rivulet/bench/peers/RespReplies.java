package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import java.nio.ByteBuffer;

/** Reads replies of RESP 2 that are no arrays. Stateless. */
final class RespReplies {
    private RespReplies() {}

    /** Reads a reply. Returns false and moves nothing if it is not complete. */
    static boolean next(ByteBuffer in, long number, PeerConnection.Answers answers) throws BrokerFailedException {
        int start = in.position();
        int end = Text.endOfLine(in, start);
        if (end < 0) {
            return false;
        }
        int after = end + 2;
        long value = 0;
        switch (in.get(start)) {
            case '+' -> {}
            case ':' -> value = Text.number(in, start + 1, end);
            case '$' -> {
                after += (int) Text.number(in, start + 1, end) + 2;
                if (after > in.limit()) {
                    return false;
                }
            }
            default -> throw new BrokerFailedException("answers " + Text.string(in, start, end));
        }
        in.position(after);
        answers.answered(number, value);
        return true;
    }
}
