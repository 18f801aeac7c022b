package io.rivulet.protocol.wire;

/** A field holds a value that the version to be written cannot carry. Thrown before any byte is written. */
public final class UnsupportedFieldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String where;
    private final short version;

    public UnsupportedFieldException(String where, short version, String reason) {
        super(where + " in version " + version + ": " + reason);
        this.where = where;
        this.version = version;
    }

    /** The message or struct, as {@code ProduceRequest.TopicProduceData}. */
    public String message() {
        return where.substring(0, where.lastIndexOf('.'));
    }

    /** The field's name, as its accessor has it. */
    public String field() {
        return where.substring(where.lastIndexOf('.') + 1);
    }

    /** The version that was to be written. */
    public short version() {
        return version;
    }
}
