package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.EPOCHS_RISE;
import static io.rivulet.simulation.Promise.OFFSETS_STAY;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.Subtopology;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.Topology;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import io.rivulet.protocol.wire.Uuid;
import java.util.List;
import java.util.Set;

/** A member of a group whose tasks the broker assigns. It commits offsets with its epoch. */
final class StreamsMember extends Client {
    private static final int HEARTBEAT_VERSION = 0;
    private static final int COMMIT_VERSION = 9;
    private static final int PARTITIONS = 2;
    private static final int REBALANCE_TIMEOUT_MILLIS = 20_000;
    /** It has been away for too long, or its epoch has changed: unknown member, fenced or stale epoch. */
    private static final Set<Integer> STALE = Set.of(25, 110, 113);

    private final String member;
    private final Offsets offsets;
    private int epoch;
    private int highest;

    StreamsMember(World world, String name) {
        super(world, name);
        this.member = new Uuid(name.hashCode(), 1).toString();
        this.offsets = new Offsets("streams-of-" + name, "plain-1", PARTITIONS);
    }

    @Override
    void connected() {}

    @Override
    public void verify(Asking asking) {
        offsets.verify(asking);
    }

    @Override
    void act(ClientConnection to) {
        if (to.inFlight() > 0) {
            return;
        }
        if (epoch == 0 || random.nextInt(3) == 0) {
            heartbeat(to, random.nextInt(20) == 0 && epoch > 0 ? -1 : epoch);
        } else {
            commit(to);
        }
    }

    /** @param sent 0 to join, -1 to leave */
    private void heartbeat(ClientConnection to, int sent) {
        StreamsGroupHeartbeatRequest request = new StreamsGroupHeartbeatRequest()
                .groupId(offsets.group())
                .memberId(member)
                .memberEpoch(sent);
        if (sent == 0) {
            request.processId(member)
                    .rebalanceTimeoutMs(REBALANCE_TIMEOUT_MILLIS)
                    .topology(new Topology()
                            .epoch(1)
                            .subtopologies(List.of(
                                    new Subtopology().subtopologyId("0").sourceTopics(List.of(offsets.topic())))))
                    .activeTasks(List.of())
                    .standbyTasks(List.of())
                    .warmupTasks(List.of());
        }
        to.ask(
                ApiKey.STREAMS_GROUP_HEARTBEAT,
                HEARTBEAT_VERSION,
                request,
                StreamsGroupHeartbeatResponse.class,
                answer -> {
                    if (answer == null || STALE.contains((int) answer.errorCode())) {
                        epoch = 0; // it joins again, whatever became of it
                    } else {
                        joined(answer, sent);
                    }
                });
    }

    private void joined(StreamsGroupHeartbeatResponse answer, int sent) {
        EPOCHS_RISE.require(
                answer.errorCode() == 0,
                "%s: error %s of a heartbeat: %s",
                name,
                answer.errorCode(),
                answer.errorMessage());
        epoch = Math.max(0, answer.memberEpoch());
        EPOCHS_RISE.require(sent < 0 || epoch >= highest, "%s has epoch %s after %s", name, epoch, highest);
        highest = Math.max(highest, epoch);
    }

    private void commit(ClientConnection to) {
        int partition = random.nextInt(PARTITIONS);
        long offset = offsets.next(partition);
        to.ask(
                ApiKey.OFFSET_COMMIT,
                COMMIT_VERSION,
                offsets.request(partition, offset, epoch, member),
                OffsetCommitResponse.class,
                answer -> {
                    if (answer != null) {
                        committed(answer.topics().get(0).partitions().get(0).errorCode(), partition, offset);
                    }
                });
    }

    private void committed(short error, int partition, long offset) {
        if (error == 0) {
            offsets.committed(partition, offset);
        } else {
            OFFSETS_STAY.require(STALE.contains((int) error), "%s: error %s of a commit", name, error);
            offsets.refused(partition, offset);
            epoch = 0;
        }
    }
}
