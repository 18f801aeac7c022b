package io.rivulet.protocol.wire;

/** A field has a value that the version can't carry. Thrown before the first byte is written. */
public final class UnsupportedFieldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String where;
    private final short version;

    public UnsupportedFieldException(String where, short version, String reason) {
        super(where + " in version " + version + ": " + reason);
        this.where = where;
        this.version = version;
    }

    /** The message or struct, such as {@code ProduceRequest.TopicProduceData}. */
    public String message() {
        return where.substring(0, where.lastIndexOf('.'));
    }

    /** The name of the field's accessor. */
    public String field() {
        return where.substring(where.lastIndexOf('.') + 1);
    }

    /** The version to write. */
    public short version() {
        return version;
    }
}
