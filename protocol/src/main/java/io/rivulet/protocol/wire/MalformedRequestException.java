package io.rivulet.protocol.wire;

/**
 * The bytes are not what the schema says. The only exception that decoding throws, whatever the bytes are.
 *
 * <p>It carries no stack trace: a stranger can provoke it at will, and what matters is where the frame is
 * wrong, which {@link #where} and {@link #offset} tell.
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

    /** The message and field, as {@code ProduceRequest.TopicProduceData.name}. */
    public String where() {
        return where;
    }

    /** Bytes from the start of the frame. */
    public int offset() {
        return offset;
    }
}
