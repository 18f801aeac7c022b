package io.rivulet.protocol.record.codec;

/** Compressed bytes are refused. Like all refusals of a client's bytes, it has no stack trace. */
@SuppressWarnings("serial")
public final class CodecException extends RuntimeException {
    private final Kind kind;

    CodecException(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    static CodecException corrupt(String message) {
        return new CodecException(Kind.CORRUPT, message);
    }

    public Kind kind() {
        return kind;
    }

    /** The reason. */
    public enum Kind {
        /** The bytes do not have the codec's format. */
        CORRUPT,

        /** The output would have more bytes than the caller allows. */
        OUTPUT_LIMIT,

        /** Valid in the codec's format, but it needs a dictionary, or more memory than the limit. */
        UNSUPPORTED,

        /** The codec's library can't be loaded on this machine. */
        UNAVAILABLE
    }
}
