package io.rivulet.broker.group.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.group.consumer.Assignor.Assignee;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The guarantees of the assignors, on random groups. */
final class AssignorTest {
    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void everyEligibleQueueGoesToAnEligibleMember() {
        for (int round = 0; round < 2000; round++) {
            List<QueueSet> topics = topics();
            List<Assignee> assignees = members(topics, false);
            Assignor assignor = random.nextBoolean() ? Assignor.UNIFORM : Assignor.RANGE;
            assignor.assign(assignees, topics);
            QueueSet all = QueueSet.EMPTY;
            QueueSet eligible = QueueSet.EMPTY;
            int sum = 0;
            for (Assignee assignee : assignees) {
                assertThat(assignee.eligible.containsAll(assignee.queues))
                        .as("seed %s", seed)
                        .isTrue();
                all = all.union(assignee.queues);
                eligible = eligible.union(assignee.eligible);
                sum += assignee.queues.size();
            }
            assertThat(all).as("seed %s", seed).isEqualTo(eligible);
            assertThat(sum).as("no queue twice, seed %s", seed).isEqualTo(all.size());
        }
    }

    @Test
    void uniformBalancesEqualSubscriptionsWithTheFewestMoves() {
        for (int round = 0; round < 2000; round++) {
            List<QueueSet> topics = topics();
            List<Assignee> assignees = members(topics, true);
            List<QueueSet> before =
                    assignees.stream().map(assignee -> assignee.queues).toList();
            Assignor.UNIFORM.assign(assignees, topics);
            int total = topics.stream().mapToInt(QueueSet::size).sum();
            int low = total / assignees.size();
            int high = low + (total % assignees.size() == 0 ? 0 : 1);
            for (Assignee assignee : assignees) {
                assertThat(assignee.queues.size()).as("seed %s", seed).isBetween(low, high);
            }
            assertThat(lost(assignees, before)).as("seed %s", seed).isEqualTo(leastToLose(before, total));
        }
    }

    /** Members with the most queues keep the most: the first total % n may have one more than the others. */
    private static int leastToLose(List<QueueSet> before, int total) {
        int[] sizes = before.stream().mapToInt(QueueSet::size).sorted().toArray();
        int lost = 0;
        int extras = total % sizes.length;
        for (int i = sizes.length - 1; i >= 0; i--) {
            lost += Math.max(0, sizes[i] - total / sizes.length - (extras-- > 0 ? 1 : 0));
        }
        return lost;
    }

    @Test
    void noSingleMoveImprovesUniformWithUnequalSubscriptions() {
        for (int round = 0; round < 2000; round++) {
            List<QueueSet> topics = topics();
            List<Assignee> assignees = members(topics, false);
            Assignor.UNIFORM.assign(assignees, topics);
            for (Assignee rich : assignees) {
                for (Assignee poor : assignees) {
                    if (rich.queues.size() > poor.queues.size() + 1) {
                        assertThat(rich.queues.intersect(poor.eligible).isEmpty())
                                .as("seed %s", seed)
                                .isTrue();
                    }
                }
            }
        }
    }

    @Test
    void aBalancedAssignmentStays() {
        for (int round = 0; round < 1000; round++) {
            List<QueueSet> topics = topics();
            List<Assignee> assignees = members(topics, false);
            Assignor assignor = random.nextBoolean() ? Assignor.UNIFORM : Assignor.RANGE;
            assignor.assign(assignees, topics);
            List<QueueSet> before =
                    assignees.stream().map(assignee -> assignee.queues).toList();
            assignor.assign(assignees, topics);
            assertThat(assignees.stream().map(assignee -> assignee.queues))
                    .as("seed %s", seed)
                    .isEqualTo(before);
        }
    }

    @Test
    void rangeSplitsTopicsOfTheSameSizeAlike() {
        List<QueueSet> topics = List.of(QueueSet.range(0, 7), QueueSet.range(100, 7));
        List<Assignee> assignees = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            assignees.add(
                    new Assignee(new ConsumerMember("m" + i), topics.get(0).union(topics.get(1)), QueueSet.EMPTY));
        }
        Assignor.RANGE.assign(assignees, topics);
        assertThat(assignees.get(0).queues).hasToString("{0..2 100..102}");
        assertThat(assignees.get(1).queues).hasToString("{3..4 103..104}");
        assertThat(assignees.get(2).queues).hasToString("{5..6 105..106}");
    }

    private static int lost(List<Assignee> assignees, List<QueueSet> before) {
        int lost = 0;
        for (int i = 0; i < before.size(); i++) {
            lost += before.get(i).minus(assignees.get(i).queues).size();
        }
        return lost;
    }

    private List<QueueSet> topics() {
        List<QueueSet> topics = new ArrayList<>();
        int at = random.nextInt(10);
        int number = 1 + random.nextInt(5);
        for (int i = 0; i < number; i++) {
            int partitions = 1 + random.nextInt(20);
            topics.add(QueueSet.range(at, partitions));
            at += partitions + random.nextInt(3);
        }
        return topics;
    }

    /** Members that have some of the queues already; each queue has at most one member. */
    private List<Assignee> members(List<QueueSet> topics, boolean equal) {
        List<Assignee> assignees = new ArrayList<>();
        QueueSet taken = QueueSet.EMPTY;
        int number = 1 + random.nextInt(8);
        for (int i = 0; i < number; i++) {
            QueueSet eligible = QueueSet.EMPTY;
            QueueSet has = QueueSet.EMPTY;
            for (QueueSet topic : topics) {
                if (equal || random.nextBoolean()) {
                    eligible = eligible.union(topic);
                }
                has = has.union(topic.first(random.nextInt(topic.size() + 1)));
            }
            has = has.intersect(eligible).minus(taken);
            taken = taken.union(has);
            assignees.add(new Assignee(new ConsumerMember("member-" + i), eligible, has));
        }
        return assignees;
    }
}
