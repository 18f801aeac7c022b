package io.rivulet.protocol.wire;

/**
 * The bytes do not match the schema. The only exception that decoding throws, whatever the bytes are.
 *
 * <p>It has no stack trace, because any client can cause it. {@link #where} and {@link #offset} say where the frame is
 * wrong.
 */
public final class MalformedRequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String where;
    private final int offset;

    public MalformedRequestException(String where, int offset, String reason) {
        super(where + " at byte " + offset + ": " + reason, null, false, false);
        this.where = where;
        this.offset = offset;
    }

    /** The message and field, such as {@code ProduceRequest.TopicProduceData.name}. */
    public String where() {
        return where;
    }

    /** Bytes from the start of the frame. */
    public int offset() {
        return offset;
    }
}
