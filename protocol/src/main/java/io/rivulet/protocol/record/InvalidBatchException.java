package io.rivulet.protocol.record;

/**
 * What a client sent is not a batch that may be stored. A client's mistake, so it carries no stack trace: refusing must
 * cost less than sending.
 */
@SuppressWarnings("serial")
public final class InvalidBatchException extends RuntimeException {
    private final Reason reason;

    public InvalidBatchException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** Why, in as many kinds as Kafka's error codes tell apart; the broker maps each to the code named here. */
    public enum Reason {
        /** Lengths, checksum or compressed bytes do not hold together: CORRUPT_MESSAGE (2). */
        CORRUPT,

        /** Well-formed, but says what a batch must not say: INVALID_RECORD (87). */
        INVALID_RECORD,

        /** A message set of magic 0 or 1, which Produce from version 3 on must not hold: INVALID_RECORD (87). */
        OLD_MAGIC,

        /** A magic that nobody has defined yet: CORRUPT_MESSAGE (2). */
        UNKNOWN_MAGIC,

        /** A codec, or a flavour of one, that consumers could not read: UNSUPPORTED_COMPRESSION_TYPE (76). */
        UNSUPPORTED_COMPRESSION,

        /** A codec whose library can't be loaded here, which is the broker's fault: UNSUPPORTED_COMPRESSION_TYPE (76). */
        CODEC_UNAVAILABLE,

        /** A timestamp type that only the broker may set: INVALID_TIMESTAMP (32). */
        INVALID_TIMESTAMP,

        /** One batch is larger than the limit, as sent or when decompressed: MESSAGE_TOO_LARGE (10). */
        BATCH_TOO_LARGE,

        /** More batches than the limit for one partition of a request: INVALID_RECORD (87). */
        TOO_MANY_BATCHES
    }
}
