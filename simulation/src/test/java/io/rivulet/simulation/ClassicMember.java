package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.EPOCHS_RISE;
import static io.rivulet.simulation.Promise.OFFSETS_STAY;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.message.SyncGroupRequest.SyncGroupRequestAssignment;
import io.rivulet.protocol.message.SyncGroupResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/** The only member of a group of the classic protocol. It joins, takes all, commits offsets with its generation. */
final class ClassicMember extends Client {
    private static final int JOIN_VERSION = 5;
    private static final int SYNC_VERSION = 3;
    private static final int COMMIT_VERSION = 8;
    private static final int PARTITIONS = 2;
    private static final int SESSION_MILLIS = 10_000;
    private static final short MEMBER_ID_REQUIRED = 79;
    /** Its generation is over: illegal generation, unknown member, rebalance in progress. */
    private static final Set<Integer> OVER = Set.of(22, 25, 27);

    private final Offsets offsets;
    private String member = "";
    private int generation;
    private int highest;
    private boolean assigned;

    ClassicMember(World world, String name) {
        super(world, name);
        this.offsets = new Offsets("group-of-" + name, "plain-1", PARTITIONS);
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
        if (generation == 0) {
            join(to);
        } else if (!assigned) {
            sync(to);
        } else if (random.nextInt(15) == 0) {
            generation = 0; // joins again, as with other topics
        } else {
            commit(to);
        }
    }

    private void join(ClientConnection to) {
        byte[] topic = SentBatch.bytes(offsets.topic());
        ByteBuffer subscription = ByteBuffer.allocate(12 + topic.length);
        subscription
                .putShort((short) 0)
                .putInt(1)
                .putShort((short) topic.length)
                .put(topic)
                .putInt(-1);
        JoinGroupRequest request = new JoinGroupRequest()
                .groupId(offsets.group())
                .sessionTimeoutMs(SESSION_MILLIS)
                .rebalanceTimeoutMs(SESSION_MILLIS)
                .memberId(member)
                .protocolType("consumer")
                .protocols(List.of(new JoinGroupRequestProtocol().name("range").metadata(subscription.array())));
        to.ask(ApiKey.JOIN_GROUP, JOIN_VERSION, request, JoinGroupResponse.class, answer -> {
            if (answer == null) {
                return;
            }
            if (answer.errorCode() == MEMBER_ID_REQUIRED) {
                member = answer.memberId();
            } else if (OVER.contains((int) answer.errorCode())) {
                member = "";
            } else {
                EPOCHS_RISE.require(answer.errorCode() == 0, "%s: error %s of a join", name, answer.errorCode());
                generation = answer.generationId();
                EPOCHS_RISE.require(generation >= highest, "%s has generation %s after %s", name, generation, highest);
                highest = generation;
                member = answer.memberId();
                assigned = false;
            }
        });
    }

    private void sync(ClientConnection to) {
        SyncGroupRequest request = new SyncGroupRequest()
                .groupId(offsets.group())
                .generationId(generation)
                .memberId(member)
                .assignments(List.of(
                        new SyncGroupRequestAssignment().memberId(member).assignment(new byte[] {1, 2, 3})));
        to.ask(ApiKey.SYNC_GROUP, SYNC_VERSION, request, SyncGroupResponse.class, answer -> {
            if (answer == null || OVER.contains((int) answer.errorCode())) {
                generation = 0;
            } else {
                EPOCHS_RISE.require(answer.errorCode() == 0, "%s: error %s of a sync", name, answer.errorCode());
                assigned = true;
            }
        });
    }

    private void commit(ClientConnection to) {
        int partition = random.nextInt(PARTITIONS);
        long offset = offsets.next(partition);
        to.ask(
                ApiKey.OFFSET_COMMIT,
                COMMIT_VERSION,
                offsets.request(partition, offset, generation, member),
                OffsetCommitResponse.class,
                answer -> {
                    if (answer == null) {
                        return;
                    }
                    short error = answer.topics().get(0).partitions().get(0).errorCode();
                    if (error == 0) {
                        offsets.committed(partition, offset);
                    } else {
                        OFFSETS_STAY.require(OVER.contains((int) error), "%s: error %s of a commit", name, error);
                        offsets.refused(partition, offset);
                        generation = 0;
                    }
                });
    }
}
