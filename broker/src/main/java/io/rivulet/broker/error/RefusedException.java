package io.rivulet.broker.error;

import java.util.List;

/** A request of a client is refused. The message is for the client. It has no stack trace, so that it is cheap. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A record that is the reason for a refusal, by its index in the batch. */
    public record RefusedRecord(int index, String message) {}

    private final ErrorCode code;
    private final transient List<RefusedRecord> records;

    public RefusedException(ErrorCode code, String message) {
        this(code, message, List.of());
    }

    /** @param records the reasons; empty if no record is */
    public RefusedException(ErrorCode code, String message, List<RefusedRecord> records) {
        super(message, null, false, false);
        this.code = code;
        this.records = records;
    }

    public List<RefusedRecord> records() {
        return records;
    }

    public ErrorCode code() {
        return code;
    }
}
