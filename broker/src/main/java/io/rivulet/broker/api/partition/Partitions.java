package io.rivulet.broker.api.partition;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import org.jspecify.annotations.Nullable;

/** Looks up the partitions that a request names. Stateless. */
final class Partitions {
    private Partitions() {}

    static ErrorCode check(ApiParts parts, @Nullable Topic topic, int partition) {
        int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(partition);
        return queueId == Topic.NO_QUEUE || !parts.store().exists(queueId)
                ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                : ErrorCode.NONE;
    }
}
