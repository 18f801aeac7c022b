package io.rivulet.broker.group.streams;

import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse.Status;

/** What a response says about the group, beside tasks. With Kafka's codes. */
public enum StreamsStatus {
    STALE_TOPOLOGY(0),
    MISSING_SOURCE_TOPICS(1),
    INCORRECTLY_PARTITIONED_TOPICS(2),
    MISSING_INTERNAL_TOPICS(3),
    SHUTDOWN_APPLICATION(4),
    ASSIGNMENT_DELAYED(5);

    private final byte code;

    StreamsStatus(int code) {
        this.code = (byte) code;
    }

    public byte code() {
        return code;
    }

    Status with(String detail) {
        return new Status().statusCode(code).statusDetail(RefusedException.fitting(detail));
    }
}
