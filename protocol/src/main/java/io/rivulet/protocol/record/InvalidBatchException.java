package io.rivulet.protocol.record;

/**
 * Bytes from a client are not a batch that can be stored. It has no stack trace, so that a refusal costs less than the
 * request.
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

    /** The reason. The broker maps each reason to the error code named here. */
    public enum Reason {
        /** Lengths, checksum or compressed bytes are inconsistent: CORRUPT_MESSAGE (2). */
        CORRUPT,

        /** Well-formed, but with values that are not allowed: INVALID_RECORD (87). */
        INVALID_RECORD,

        /** A record of a compacted topic has no key: INVALID_RECORD (87). */
        NO_KEY,

        /** A message set of magic 0 or 1, which is not allowed in Produce from version 3 on: INVALID_RECORD (87). */
        OLD_MAGIC,

        /** An unknown magic: CORRUPT_MESSAGE (2). */
        UNKNOWN_MAGIC,

        /** A codec, or a variant of one, that consumers can't read: UNSUPPORTED_COMPRESSION_TYPE (76). */
        UNSUPPORTED_COMPRESSION,

        /** A codec whose library can't be loaded, which is the broker's fault: UNSUPPORTED_COMPRESSION_TYPE (76). */
        CODEC_UNAVAILABLE,

        /** A timestamp type that only the broker may set: INVALID_TIMESTAMP (32). */
        INVALID_TIMESTAMP,

        /** A batch is larger than the limit, as sent or decompressed: MESSAGE_TOO_LARGE (10). */
        BATCH_TOO_LARGE,

        /** More batches than the limit for one partition of a request: INVALID_RECORD (87). */
        TOO_MANY_BATCHES
    }
}
