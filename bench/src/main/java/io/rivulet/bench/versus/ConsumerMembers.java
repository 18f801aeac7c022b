package io.rivulet.bench.versus;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Wire;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse.TopicPartitions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The members of one group of the consumer protocol. They send heartbeats in rounds, each on its own connection, and
 * accept a new assignment at once. Owned by: the command's thread.
 */
final class ConsumerMembers {
    static final short VERSION = 1;
    private static final int JOIN = 0;
    private static final int LEAVE = -1;
    private static final int REBALANCE_TIMEOUT_MILLIS = 300_000;
    private static final long PATIENCE_SECONDS = 120;

    /** One member and its assignment. */
    static final class Member {
        final String id;
        final String group;
        private final String topic;
        private int epoch = JOIN;
        private List<TopicPartitions> owned = List.of();
        private int ownedPartitions;
        private boolean changed;

        Member(String group, String id, String topic) {
            this.group = group;
            this.id = id;
            this.topic = topic;
        }

        int epoch() {
            return epoch;
        }

        private ConsumerGroupHeartbeatRequest next() {
            ConsumerGroupHeartbeatRequest request =
                    heartbeat(group, id, epoch).topicPartitions(changed || epoch == JOIN ? reported() : null);
            if (epoch == JOIN) {
                request.rebalanceTimeoutMs(REBALANCE_TIMEOUT_MILLIS).subscribedTopicNames(List.of(topic));
            }
            changed = false;
            return request;
        }

        private List<ConsumerGroupHeartbeatRequest.TopicPartitions> reported() {
            return owned.stream()
                    .map(one -> new ConsumerGroupHeartbeatRequest.TopicPartitions()
                            .topicId(one.topicId())
                            .partitions(one.partitions()))
                    .toList();
        }

        private void take(ConsumerGroupHeartbeatResponse response) throws BrokerFailedException {
            if (response.errorCode() != 0) {
                throw new BrokerFailedException(
                        "a heartbeat has error " + response.errorCode() + ": " + response.errorMessage());
            }
            changed |= epoch != response.memberEpoch();
            epoch = response.memberEpoch();
            ConsumerGroupHeartbeatResponse.@Nullable Assignment assignment = response.assignment();
            if (assignment != null) {
                owned = assignment.topicPartitions();
                ownedPartitions =
                        owned.stream().mapToInt(one -> one.partitions().length).sum();
                changed = true;
            }
        }
    }

    private final List<Wire> wires;
    private final List<Member> members = new ArrayList<>();
    private final int partitions;
    private int rounds;

    /** @param wires one for each member; the caller closes them */
    ConsumerMembers(List<Wire> wires, String group, String topic, int partitions) {
        this.wires = wires;
        this.partitions = partitions;
        for (int i = 0; i < wires.size(); i++) {
            members.add(new Member(group, group + "-member-" + i, topic));
        }
    }

    static ConsumerGroupHeartbeatRequest heartbeat(String group, String id, int epoch) {
        return new ConsumerGroupHeartbeatRequest()
                .groupId(group)
                .memberId(id)
                .memberEpoch(epoch)
                .subscribedTopicNames(null)
                .topicPartitions(null);
    }

    List<Member> all() {
        return members;
    }

    /**
     * Returns the milliseconds until all members are in one epoch, have equal numbers of partitions and have confirmed
     * them.
     */
    double settle() throws IOException, BrokerFailedException {
        long startNanos = System.nanoTime();
        settle(List.of(this));
        return (System.nanoTime() - startNanos) / 1e6;
    }

    /** Settles all groups at the same time. */
    static void settle(List<ConsumerMembers> groups) throws IOException, BrokerFailedException {
        long startNanos = System.nanoTime();
        List<ConsumerMembers> left = groups;
        while (true) {
            List<ConsumerMembers> moving = new ArrayList<>();
            for (ConsumerMembers group : left) {
                group.round();
                if (!group.isSettled()) {
                    moving.add(group);
                }
            }
            if (moving.isEmpty()) {
                return;
            }
            if (System.nanoTime() - startNanos > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new BrokerFailedException(moving.size() + " groups not stable after " + PATIENCE_SECONDS + " s");
            }
            LockSupport.parkNanos(ClassicMember.BETWEEN_HEARTBEATS_NANOS);
            left = moving;
        }
    }

    /** Removes the last member. Returns the milliseconds until the others have its partitions. */
    double oneLeaves() throws IOException, BrokerFailedException {
        Member leaving = members.remove(members.size() - 1);
        long startNanos = System.nanoTime();
        wires.get(members.size())
                .call(ApiKey.CONSUMER_GROUP_HEARTBEAT, VERSION, heartbeat(leaving.group, leaving.id, LEAVE));
        settle();
        return (System.nanoTime() - startNanos) / 1e6;
    }

    /** Rounds of heartbeats so far. */
    int rounds() {
        return rounds;
    }

    private void round() throws IOException, BrokerFailedException {
        rounds++;
        for (int i = 0; i < members.size(); i++) {
            wires.get(i)
                    .send(
                            ApiKey.CONSUMER_GROUP_HEARTBEAT,
                            VERSION,
                            members.get(i).next());
        }
        for (int i = 0; i < members.size(); i++) {
            members.get(i).take((ConsumerGroupHeartbeatResponse)
                    wires.get(i).receive(ApiKey.CONSUMER_GROUP_HEARTBEAT, VERSION));
        }
    }

    /** Waits for equal shares: Kafka assigns at most once a second, and until then late members have no partitions. */
    private boolean isSettled() {
        int sum = 0;
        for (Member member : members) {
            int share = partitions / members.size();
            if (member.changed
                    || member.epoch != members.get(0).epoch
                    || member.ownedPartitions < share
                    || member.ownedPartitions > share + 1) {
                return false;
            }
            sum += member.ownedPartitions;
        }
        return sum == partitions;
    }
}
