package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.Futures;
import io.rivulet.broker.api.Replication;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.streams.InternalTopic;
import io.rivulet.broker.group.streams.StreamsStatus;
import io.rivulet.broker.quota.CallMeter;
import io.rivulet.broker.topic.NewTopic;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Creates the internal topics of an application for a member that may create them. The response waits for it, and says
 * what went wrong. The next heartbeat finds the topics.
 *
 * <p>Thread-safe.
 */
record InternalTopicCreation(ApiParts parts) {
    private static final int DEFAULT_FACTOR = -1;

    /** @param ended runs on any thread, when all topics are created or have failed */
    void create(Call call, List<InternalTopic> topics, StreamsGroupHeartbeatResponse response, Runnable ended) {
        if (topics.isEmpty()) {
            ended.run();
            return;
        }
        List<String> denied = denied(call.access(), topics);
        if (!denied.isEmpty()) {
            addProblem(response, "Unauthorized to CREATE on topics " + String.join(",", denied) + ".");
            ended.run();
            return;
        }
        Queue<String> problems = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<?>> creations = new ArrayList<>();
        for (InternalTopic topic : topics) {
            creations.add(Futures.attempt(
                    () -> parts.admin().findOrCreate(checked(call, topic)).toCompletableFuture(),
                    refusal -> problems.add(topic.name() + " (" + refusal.getMessage() + ")")));
        }
        Futures.whenAllEnded(creations, () -> {
            if (!problems.isEmpty()) {
                addProblem(response, "Creation failed: " + String.join(", ", problems) + ".");
            }
            ended.run();
        });
    }

    private static List<String> denied(Access access, List<InternalTopic> topics) {
        if (access.mayCluster(Operation.CREATE)) {
            return List.of();
        }
        return topics.stream()
                .map(InternalTopic::name)
                .filter(name -> !access.mayTopic(Operation.CREATE, name))
                .toList();
    }

    private NewTopic checked(Call call, InternalTopic topic) {
        int wanted = topic.replicationFactor();
        boolean byDefault = wanted == 0 || wanted == DEFAULT_FACTOR;
        if (!byDefault
                && !parts.config().replication().allow(wanted, parts.nodes().count())) {
            throw new RefusedException(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    Replication.shortage(wanted, parts.nodes().count()));
        }
        try {
            parts.topics().defaults().withOverrides(topic.configs());
        } catch (ConfigException e) {
            throw ErrorMapper.refusal(e);
        }
        CallMeter meter = call.meter();
        if (meter != null) {
            meter.mutate(topic.partitions(), false);
        }
        return new NewTopic(topic.name(), topic.partitions(), topic.configs());
    }

    private static void addProblem(StreamsGroupHeartbeatResponse response, String problem) {
        List<Status> all = response.status();
        for (Status status : all == null ? List.<Status>of() : all) {
            if (status.statusCode() == StreamsStatus.MISSING_INTERNAL_TOPICS.code()) {
                status.statusDetail(status.statusDetail() + "; " + RefusedException.fitting(problem));
            }
        }
    }
}
