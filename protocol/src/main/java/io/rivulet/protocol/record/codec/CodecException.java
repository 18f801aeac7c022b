package io.rivulet.protocol.record.codec;

/** Compressed bytes that will not be decompressed further. Like all refusals of a client's bytes, without a stack trace. */
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

    /** What was wrong. */
    public enum Kind {
        /** Not what the codec's format says. */
        CORRUPT,

        /** Would decompress to more bytes than the caller allows. */
        OUTPUT_LIMIT,

        /** Valid in the codec's format, but needs what is not given here: a dictionary, or more memory than the cap. */
        UNSUPPORTED,

        /** The codec's library can't be loaded on this machine. */
        UNAVAILABLE
    }
}
