package io.rivulet.bench.versus;

import io.rivulet.bench.lab.Await;
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

/**
 * Waits until coordinators are ready. Kafka creates their topics at the first request, and loads them at each start.
 * Stateless.
 */
final class Coordinators {
    static final byte OF_GROUPS = 0;
    static final byte OF_TRANSACTIONS = 1;

    static final long NOT_COMMITTED = -1;
    private static final short FIND_VERSION = 4;
    private static final short FETCH_VERSION = 9;
    private static final long PATIENCE_SECONDS = 120;
    private static final long BETWEEN_TRIES_MILLIS = 2;

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

    /** Waits until this is the group's committed offset, or {@link #NOT_COMMITTED}. */
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

    /** Waits until all of these groups accept members and commits. */
    static void awaitGroups(RunningBroker broker, List<String> groups, String topic)
            throws IOException, BrokerFailedException {
        awaitFound(broker, OF_GROUPS, groups.get(0));
        try (Wire wire = new Wire(broker.port())) {
            for (String group : groups) {
                awaitCommitted(broker, wire, group, topic, 0, NOT_COMMITTED);
            }
        }
    }

    private static void await(RunningBroker broker, Await.Condition condition)
            throws IOException, BrokerFailedException {
        Await.until(
                condition,
                PATIENCE_SECONDS,
                BETWEEN_TRIES_MILLIS,
                () -> "the coordinator is not ready: " + broker.complaint());
    }
}
