package io.rivulet.broker.share;

/** Why a record is archived, as a byte in its run. */
final class DeadCause {
    /** It is not archived, or there is no such record. */
    static final byte NONE = 0;
    /** A member has rejected it. */
    static final byte REJECTED = 1;
    /** It was delivered as often as the group allows. */
    static final byte EXHAUSTED = 2;

    private DeadCause() {}

    /** The text in a dead letter; it is Kafka's. */
    static String text(byte cause) {
        return switch (cause) {
            case REJECTED -> "Offset rejected by client.";
            case EXHAUSTED -> "Offset delivery count exceeded the threshold.";
            default -> throw new IllegalArgumentException("no cause: " + cause);
        };
    }
}
