package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.SHARES_STAY;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.message.ShareFetchRequest.FetchPartition;
import io.rivulet.protocol.message.ShareFetchRequest.FetchTopic;
import io.rivulet.protocol.message.ShareFetchResponse;
import io.rivulet.protocol.message.ShareFetchResponse.AcquiredRecords;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a share group has done with the records of its topic. */
final class ShareLog {
    static final String TOPIC = "plain-0";
    /** As the broker is configured. */
    static final int DELIVERIES = 10;

    private static final int VERSION = 1;
    private static final int MOST_RECORDS = 5_000;
    private static final int WAIT_MILLIS = 50;

    final String group;
    private final World world;
    private final Map<PartitionLog, Set<Long>> acknowledged = new HashMap<>();
    /** Perhaps acknowledged: there was no answer, or it was delivered too often. */
    private final Map<PartitionLog, Set<Long>> perhaps = new HashMap<>();

    private int drains;

    ShareLog(World world, String group) {
        this.world = world;
        this.group = group;
    }

    private static Set<Long> of(Map<PartitionLog, Set<Long>> map, PartitionLog log) {
        return map.computeIfAbsent(log, none -> new HashSet<>());
    }

    void delivered(PartitionLog log, AcquiredRecords records) {
        for (long offset = records.firstOffset(); offset <= records.lastOffset(); offset++) {
            SHARES_STAY.require(
                    !of(acknowledged, log).contains(offset),
                    "%s gets %s of %s, which was acknowledged",
                    group,
                    offset,
                    log);
            if (records.deliveryCount() >= DELIVERIES) {
                of(perhaps, log).add(offset);
            }
        }
    }

    void acknowledging(PartitionLog log, long first, long last) {
        for (long offset = first; offset <= last; offset++) {
            of(perhaps, log).add(offset);
        }
    }

    void acknowledged(PartitionLog log, long first, long last) {
        for (long offset = first; offset <= last; offset++) {
            of(acknowledged, log).add(offset);
        }
    }

    /** @param opened null in a session that is open */
    static ShareFetchRequest fetch(String group, String member, int epoch, @Nullable World opened) {
        ShareFetchRequest request = new ShareFetchRequest()
                .groupId(group)
                .memberId(member)
                .shareSessionEpoch(epoch)
                .minBytes(1)
                .maxBytes(1 << 20)
                .batchSize(50);
        return opened == null
                ? request
                : request.topics(List.of(new FetchTopic()
                        .topicId(opened.topicId(TOPIC))
                        .partitions(IntStream.range(0, World.PARTITIONS)
                                .mapToObj(partition -> new FetchPartition().partitionIndex(partition))
                                .toList())));
    }

    /** After a start nothing is acquired: a new member gets every record but those that were acknowledged. */
    void verify(Asking asking) {
        String member = "drain-" + ++drains;
        Map<PartitionLog, Set<Long>> got = new HashMap<>();
        int epoch = 0;
        boolean more = true;
        while (more) {
            more = drain(asking, member, epoch++, 0, got);
        }
        // An answer that may not wait is empty where the first offsets have nothing to deliver.
        more = true;
        while (more && !missing(got).isEmpty()) {
            more = drain(asking, member, epoch++, WAIT_MILLIS, got);
        }
        SHARES_STAY.require(missing(got).isEmpty(), "%s does not get %s", group, missing(got));
        asking.ask(ApiKey.SHARE_FETCH, VERSION, fetch(group, member, -1, null), ShareFetchResponse.class);
    }

    /** Returns whether there was any record. */
    private boolean drain(Asking asking, String member, int epoch, int waitMillis, Map<PartitionLog, Set<Long>> got) {
        ShareFetchResponse answer = asking.ask(
                ApiKey.SHARE_FETCH,
                VERSION,
                fetch(group, member, epoch, epoch == 0 ? world : null)
                        .maxWaitMs(waitMillis)
                        .maxRecords(MOST_RECORDS),
                ShareFetchResponse.class);
        SHARES_STAY.require(answer.errorCode() == 0, "%s: error %s of a fetch", group, answer.errorCode());
        boolean[] any = new boolean[1];
        answer.responses()
                .forEach(topic -> topic.partitions().forEach(data -> {
                    PartitionLog log = world.log(topic.topicId(), data.partitionIndex());
                    data.acquiredRecords().forEach(records -> {
                        any[0] = true;
                        delivered(log, records);
                        for (long offset = records.firstOffset(); offset <= records.lastOffset(); offset++) {
                            of(got, log).add(offset);
                        }
                    });
                }));
        return any[0];
    }

    private List<String> missing(Map<PartitionLog, Set<Long>> got) {
        return IntStream.range(0, World.PARTITIONS)
                .mapToObj(partition -> world.log(TOPIC, partition))
                .flatMap(log -> log.offsets().stream()
                        .filter(offset -> !of(acknowledged, log).contains(offset)
                                && !of(perhaps, log).contains(offset)
                                && !of(got, log).contains(offset))
                        .map(offset -> offset + " of " + log))
                .toList();
    }
}
