package io.rivulet.broker.error;

import java.util.List;

/** A request of a client is refused. The message is for the client. It has no stack trace, so that it is cheap. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A record that is the reason for a refusal, by its index in the batch. */
    public record RefusedRecord(int index, String message) {}

    /** A text of the protocol has 32,767 bytes at most, and a name in it may have as many. */
    private static final int MAX_MESSAGE_CHARS = 8_000;

    private final ErrorCode code;
    private final transient List<RefusedRecord> records;

    public RefusedException(ErrorCode code, String message) {
        this(code, message, List.of());
    }

    /** @param records the reasons; empty if no record is */
    public RefusedException(ErrorCode code, String message, List<RefusedRecord> records) {
        super(fitting(message), null, false, false);
        this.code = code;
        this.records = records;
    }

    /** The message, cut so that a response can have it. */
    public static String fitting(String message) {
        return message.length() <= MAX_MESSAGE_CHARS ? message : message.substring(0, MAX_MESSAGE_CHARS) + " ...";
    }

    public List<RefusedRecord> records() {
        return records;
    }

    public ErrorCode code() {
        return code;
    }
}
