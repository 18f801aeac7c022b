package io.rivulet.broker.share;

/** How a member acknowledges a record, in the numbers of Kafka's protocol. */
final class AckType {
    /** There is no record at this offset. */
    static final byte GAP = 0;

    static final byte ACCEPT = 1;
    static final byte RELEASE = 2;
    static final byte REJECT = 3;
    static final byte RENEW = 4;

    private AckType() {}
}
