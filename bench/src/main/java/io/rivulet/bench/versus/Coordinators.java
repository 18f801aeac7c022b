package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Wire;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.FindCoordinatorRequest;
import io.rivulet.protocol.message.FindCoordinatorResponse;
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.rivulet.protocol.message.OffsetFetchResponse;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until coordinators are ready: Kafka creates their topics at the first request and loads them at a start.
 * Stateless.
 */
final class Coordinators {
    static final byte OF_GROUPS = 0;
    static final byte OF_TRANSACTIONS = 1;

    static final long NOT_COMMITTED = -1;
    private static final short FIND_VERSION = 4;
    private static final short FETCH_VERSION = 9;
    private static final long PATIENCE_SECONDS = 120;
    private static final long BETWEEN_TRIES_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private Coordinators() {}

    static void awaitFound(RunningBroker broker, byte keyType, String key) throws IOException, BrokerFailedException {
        FindCoordinatorRequest request =
                new FindCoordinatorRequest().keyType(keyType).coordinatorKeys(List.of(key));
        try (Wire wire = new Wire(broker.port())) {
            await(
                    broker,
                    () -> ((FindCoordinatorResponse) wire.call(ApiKey.FIND_COORDINATOR, FIND_VERSION, request))
                                    .coordinators()
                                    .get(0)
                                    .errorCode()
                            == 0);
        }
    }

    /** Waits until the group says that it has committed this offset, or {@link #NOT_COMMITTED}. */
    static void awaitCommitted(RunningBroker broker, Wire wire, String group, String topic, int partition, long offset)
            throws IOException, BrokerFailedException {
        OffsetFetchRequest request = new OffsetFetchRequest()
                .groups(List.of(new OffsetFetchRequestGroup()
                        .groupId(group)
                        .topics(List.of(
                                new OffsetFetchRequestTopics().name(topic).partitionIndexes(new int[] {partition})))));
        await(broker, () -> {
            OffsetFetchResponse response = (OffsetFetchResponse) wire.call(ApiKey.OFFSET_FETCH, FETCH_VERSION, request);
            OffsetFetchResponseGroup answer = response.groups().get(0);
            return answer.errorCode() == 0
                    && answer.topics().get(0).partitions().get(0).committedOffset() == offset;
        });
    }

    /** All of these groups can be joined and committed for. */
    static void awaitGroups(RunningBroker broker, List<String> groups, String topic)
            throws IOException, BrokerFailedException {
        awaitFound(broker, OF_GROUPS, groups.get(0));
        try (Wire wire = new Wire(broker.port())) {
            for (String group : groups) {
                awaitCommitted(broker, wire, group, topic, 0, NOT_COMMITTED);
            }
        }
    }

    private interface Question {
        boolean isAnswered() throws IOException;
    }

    private static void await(RunningBroker broker, Question question) throws IOException, BrokerFailedException {
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!question.isAnswered()) {
            if (System.nanoTime() > untilNanos) {
                throw new BrokerFailedException("its coordinator is not ready: " + broker.complaint());
            }
            LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
        }
    }
}
