package io.rivulet.bench.versus;

import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.load.Running;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.HeartbeatRequest;
import io.rivulet.protocol.message.HeartbeatResponse;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.JoinGroupResponse.JoinGroupResponseMember;
import io.rivulet.protocol.message.LeaveGroupRequest;
import io.rivulet.protocol.message.LeaveGroupRequest.MemberIdentity;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.message.SyncGroupRequest.SyncGroupRequestAssignment;
import io.rivulet.protocol.message.SyncGroupResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.TopicPartition;

/**
 * A member of a classic group with range assignment: joins, syncs and sends heartbeats, and joins again when the group
 * rebalances. Owned by: its own thread, except {@link #close} and the volatile fields.
 */
final class ClassicMember extends Running.Load<Wire> {
    static final short HEARTBEAT_VERSION = 4;
    private static final short JOIN_VERSION = 7;
    private static final short SYNC_VERSION = 5;
    private static final short LEAVE_VERSION = 4;
    /** Clients use seconds, but then a rebalance would mostly wait for the next heartbeat. */
    static final long BETWEEN_HEARTBEATS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int TIMEOUT_MILLIS = 30 * 60 * 1000;
    private static final String TYPE = "consumer";
    private static final String PROTOCOL = "range";
    private static final short NONE = 0;
    private static final short MEMBER_ID_REQUIRED = 79;
    private static final short ILLEGAL_GENERATION = 22;
    private static final short REBALANCE_IN_PROGRESS = 27;

    private final String group;
    private final String topic;
    private final int partitions;
    private final Rebalance rebalance;
    private volatile String id = "";
    private volatile int generation;
    private volatile boolean leaving;

    ClassicMember(RunningBroker broker, String group, String topic, int partitions, Rebalance rebalance)
            throws IOException {
        super(new Wire(broker.port()));
        this.group = group;
        this.topic = topic;
        this.partitions = partitions;
        this.rebalance = rebalance;
    }

    String id() {
        return id;
    }

    int generation() {
        return generation;
    }

    /** Leaves the group before the next heartbeat. */
    void leave() {
        leaving = true;
    }

    @Override
    protected void load() throws IOException {
        while (!isClosed() && !leaving) {
            if (join()) {
                sendHeartbeats();
            }
        }
        if (leaving) {
            leaveGroup();
        }
        while (!isClosed()) {
            LockSupport.parkNanos(BETWEEN_HEARTBEATS_NANOS);
        }
    }

    /** Returns whether the member has its assignment. */
    private boolean join() throws IOException {
        JoinGroupRequest request = new JoinGroupRequest()
                .groupId(group)
                .memberId(id)
                .sessionTimeoutMs(TIMEOUT_MILLIS)
                .rebalanceTimeoutMs(TIMEOUT_MILLIS)
                .protocolType(TYPE)
                .protocols(List.of(new JoinGroupRequestProtocol()
                        .name(PROTOCOL)
                        .metadata(bytes(ConsumerProtocol.serializeSubscription(new Subscription(List.of(topic)))))));
        JoinGroupResponse joined = (JoinGroupResponse) connection.call(ApiKey.JOIN_GROUP, JOIN_VERSION, request);
        id = joined.memberId();
        if (joined.errorCode() == MEMBER_ID_REQUIRED) {
            return false;
        }
        require(joined.errorCode() == NONE, "a join", joined.errorCode());
        generation = joined.generationId();
        SyncGroupRequest sync = new SyncGroupRequest()
                .groupId(group)
                .memberId(id)
                .generationId(generation)
                .protocolType(TYPE)
                .protocolName(PROTOCOL)
                .assignments(joined.leader().equals(id) ? assignments(joined.members()) : List.of());
        SyncGroupResponse synced = (SyncGroupResponse) connection.call(ApiKey.SYNC_GROUP, SYNC_VERSION, sync);
        boolean again = synced.errorCode() == REBALANCE_IN_PROGRESS || synced.errorCode() == ILLEGAL_GENERATION;
        require(again || synced.errorCode() == NONE, "a sync", synced.errorCode());
        if (!again) {
            rebalance.synced(generation);
        }
        return !again;
    }

    private List<SyncGroupRequestAssignment> assignments(List<JoinGroupResponseMember> members) {
        List<SyncGroupRequestAssignment> all = new ArrayList<>(members.size());
        for (int i = 0; i < members.size(); i++) {
            List<TopicPartition> share = new ArrayList<>();
            int end = (int) ((i + 1L) * partitions / members.size());
            for (int partition = (int) ((long) i * partitions / members.size()); partition < end; partition++) {
                share.add(new TopicPartition(topic, partition));
            }
            all.add(new SyncGroupRequestAssignment()
                    .memberId(members.get(i).memberId())
                    .assignment(bytes(ConsumerProtocol.serializeAssignment(new Assignment(share)))));
        }
        return all;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** Returns when the member must join again or leave. */
    private void sendHeartbeats() throws IOException {
        HeartbeatRequest request = heartbeat(group, id, generation);
        while (!isClosed() && !leaving) {
            LockSupport.parkNanos(BETWEEN_HEARTBEATS_NANOS);
            short error =
                    ((HeartbeatResponse) connection.call(ApiKey.HEARTBEAT, HEARTBEAT_VERSION, request)).errorCode();
            if (error == REBALANCE_IN_PROGRESS || error == ILLEGAL_GENERATION) {
                return;
            }
            require(error == NONE, "a heartbeat", error);
        }
    }

    static HeartbeatRequest heartbeat(String group, String id, int generation) {
        return new HeartbeatRequest().groupId(group).memberId(id).generationId(generation);
    }

    private void leaveGroup() throws IOException {
        connection.call(
                ApiKey.LEAVE_GROUP,
                LEAVE_VERSION,
                new LeaveGroupRequest().groupId(group).members(List.of(new MemberIdentity().memberId(id))));
    }

    private static void require(boolean holds, String what, short error) {
        if (!holds) {
            throw new IllegalStateException(what + " has error " + error);
        }
    }
}
