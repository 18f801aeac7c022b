package io.rivulet.broker.share;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Acknowledges the records of one request: all partitions with one entry of the log. Immutable. */
record Acknowledging(ShareFetchParts parts, Access access, ShareSession.Key key, byte highestType) {
    /** @param done called with an error for each partition, when the results are durable; any thread */
    void acknowledge(RequestAcks wanted, Consumer<List<ErrorCode>> done) {
        List<ErrorCode> errors = new ArrayList<>(wanted.size());
        int[] queueIds = check(wanted, errors);
        ShareGroup group = parts.groups().find(key.groupId());
        if (group == null) {
            errors.replaceAll(error -> error == ErrorCode.NONE ? ErrorCode.INVALID_RECORD_STATE : error);
            done.accept(errors);
            return;
        }
        Limits limits = ShareGroups.limits(parts.groups().config(key.groupId()));
        synchronized (group) {
            Results results = new Results();
            long now = parts.groups().nanos();
            for (int i = 0; i < queueIds.length; i++) {
                if (errors.get(i) == ErrorCode.NONE) {
                    List<AckBatch> batches = wanted.batches(i);
                    errors.set(i, group.acknowledge(queueIds[i], key.member(), batches, limits, now, results));
                }
            }
            wanted.begun();
            parts.groups().append(group, results, failure -> {
                if (failure != null) {
                    ErrorCode code = ErrorMapper.refusal(failure).code();
                    errors.replaceAll(error -> error == ErrorCode.NONE ? code : error);
                }
                done.accept(errors);
            });
        }
    }

    /**
     * Checks all that needs no lock, and returns the queues. A queue may be named once: the cost of acknowledging
     * depends on what is under way there, not only on the request.
     */
    private int[] check(RequestAcks wanted, List<ErrorCode> errors) {
        int[] queueIds = new int[wanted.size()];
        Set<Integer> named = null;
        int highest = Topic.NO_QUEUE;
        Uuid topicId = null;
        Topic topic = null;
        boolean mayRead = false;
        for (int i = 0; i < queueIds.length; i++) {
            if (!wanted.topicId(i).equals(topicId)) {
                topicId = wanted.topicId(i);
                topic = parts.topics().find(topicId);
                mayRead = topic != null && (access.isUnlimited() || access.mayTopic(Operation.READ, topic.name()));
            }
            queueIds[i] = topic == null ? Topic.NO_QUEUE : topic.queueId(wanted.partition(i));
            ErrorCode error = check(wanted.batches(i), topic != null, mayRead, queueIds[i]);
            if (error == ErrorCode.NONE && named == null && queueIds[i] <= highest) {
                named = namedBefore(queueIds, errors);
            }
            boolean isRepeated = error == ErrorCode.NONE && named != null && !named.add(queueIds[i]);
            errors.add(isRepeated ? ErrorCode.INVALID_REQUEST : error);
            highest = Math.max(highest, queueIds[i]);
        }
        return queueIds;
    }

    /** Most requests name their queues in order, and need no set to see that each is named once. */
    private static Set<Integer> namedBefore(int[] queueIds, List<ErrorCode> errors) {
        Set<Integer> named = new HashSet<>();
        for (int i = 0; i < errors.size(); i++) {
            if (errors.get(i) == ErrorCode.NONE) {
                named.add(queueIds[i]);
            }
        }
        return named;
    }

    private ErrorCode check(List<AckBatch> batches, boolean isTopic, boolean mayRead, int queueId) {
        if (!isTopic) {
            return ErrorCode.UNKNOWN_TOPIC_ID;
        }
        if (!mayRead) {
            return ErrorCode.TOPIC_AUTHORIZATION_FAILED;
        }
        if (queueId == Topic.NO_QUEUE) {
            return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        }
        return AckBatch.areValid(batches, highestType) ? ErrorCode.NONE : ErrorCode.INVALID_REQUEST;
    }
}
