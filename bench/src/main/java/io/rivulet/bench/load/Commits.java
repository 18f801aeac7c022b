package io.rivulet.bench.load;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Wire;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.OffsetCommitRequest;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.rivulet.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.OffsetCommitResponse.OffsetCommitResponsePartition;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** Commits of many offsets, without a member of the group. Stateless. */
public final class Commits {
    private static final short VERSION = 9;

    private Commits() {}

    public static OffsetCommitRequest request(String group, String topic, IntStream partitions, long offset) {
        return new OffsetCommitRequest().groupId(group).topics(List.of(topic(topic, partitions, offset)));
    }

    public static OffsetCommitRequestTopic topic(String name, IntStream partitions, long offset) {
        return new OffsetCommitRequestTopic()
                .name(name)
                .partitions(partitions
                        .mapToObj(partition -> new OffsetCommitRequestPartition()
                                .partitionIndex(partition)
                                .committedOffset(offset))
                        .toList());
    }

    /** Sends one request on each connection, and waits for all responses. */
    public static void commit(List<Wire> wires, List<OffsetCommitRequest> requests)
            throws IOException, BrokerFailedException {
        for (int i = 0; i < requests.size(); i++) {
            wires.get(i).send(ApiKey.OFFSET_COMMIT, VERSION, requests.get(i));
        }
        for (int i = 0; i < requests.size(); i++) {
            OffsetCommitResponse response = (OffsetCommitResponse) wires.get(i).receive(ApiKey.OFFSET_COMMIT, VERSION);
            for (OffsetCommitResponsePartition partition :
                    response.topics().get(0).partitions()) {
                if (partition.errorCode() != 0) {
                    throw new BrokerFailedException("the commit for partition " + partition.partitionIndex()
                            + " has error " + partition.errorCode());
                }
            }
        }
    }
}
