package io.rivulet.broker.group.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.group.consumer.QueueSet;
import io.rivulet.broker.group.share.SimpleAssignor.Assignee;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The guarantees of the assignor, on random groups. */
final class SimpleAssignorTest {
    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void eachQueueHasAMemberAndEachMemberHasAQueue() {
        for (int round = 0; round < 5000; round++) {
            QueueSet pool = queues(1 + random.nextInt(12));
            List<Assignee> members = members(1 + random.nextInt(12), pool);
            SimpleAssignor.assign(members);

            QueueSet all = QueueSet.EMPTY;
            int sum = 0;
            for (Assignee member : members) {
                assertThat(member.queues().isEmpty()).as("seed %s", seed).isFalse();
                all = all.union(member.queues());
                sum += member.queues().size();
            }
            assertThat(all).as("seed %s", seed).isEqualTo(pool);
            int sharing = (members.size() + pool.size() - 1) / pool.size();
            int most = Math.max(1, sharing) * pool.size();
            assertThat(sum).as("seed %s", seed).isBetween(members.size() <= pool.size() ? most : pool.size(), most);
        }
    }

    @Test
    void membersDifferByOneQueueAtMost() {
        for (int round = 0; round < 5000; round++) {
            QueueSet pool = queues(1 + random.nextInt(50));
            List<Assignee> members = members(1 + random.nextInt(12), pool);
            SimpleAssignor.assign(members);

            int least = members.stream()
                    .mapToInt(member -> member.queues().size())
                    .min()
                    .orElseThrow();
            assertThat(members)
                    .as("seed %s", seed)
                    .allMatch(member -> member.queues().size() <= least + 1);
        }
    }

    @Test
    void anAssignmentThatIsBalancedStays() {
        for (int round = 0; round < 2000; round++) {
            QueueSet pool = queues(1 + random.nextInt(30));
            List<Assignee> members = members(1 + random.nextInt(30), pool);
            SimpleAssignor.assign(members);
            List<Assignee> again = members.stream()
                    .map(member -> new Assignee(member.member, pool, member.queues()))
                    .toList();
            SimpleAssignor.assign(again);

            for (int i = 0; i < again.size(); i++) {
                assertThat(again.get(i).queues())
                        .as("seed %s", seed)
                        .isEqualTo(members.get(i).queues());
            }
        }
    }

    @Test
    void aMemberGetsOnlyWhatItSubscribesTo() {
        for (int round = 0; round < 2000; round++) {
            QueueSet all = queues(1 + random.nextInt(40));
            List<Assignee> members = new ArrayList<>();
            QueueSet eligible = QueueSet.EMPTY;
            for (int i = 1 + random.nextInt(8); i > 0; i--) {
                QueueSet one = some(all);
                eligible = eligible.union(one);
                members.add(new Assignee(new ShareMember("m" + i), one, some(all)));
            }
            SimpleAssignor.assign(members);

            QueueSet given = QueueSet.EMPTY;
            for (Assignee member : members) {
                assertThat(member.eligible.containsAll(member.queues()))
                        .as("seed %s", seed)
                        .isTrue();
                assertThat(member.queues().isEmpty()).as("seed %s", seed).isEqualTo(member.eligible.isEmpty());
                given = given.union(member.queues());
            }
            assertThat(given).as("seed %s", seed).isEqualTo(eligible);
        }
    }

    @Test
    void aMillionQueuesCostAsMuchAsTheirRanges() {
        QueueSet pool = QueueSet.range(5, 1_000_000);
        List<Assignee> members = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            members.add(new Assignee(new ShareMember("m" + i), pool, QueueSet.EMPTY));
        }
        SimpleAssignor.assign(members);

        assertThat(members).allMatch(member -> member.queues().size() == 10_000);
        assertThat(members).allMatch(member -> member.queues().encodedBytes() < 20);
    }

    private QueueSet queues(int count) {
        QueueSet.Builder queues = new QueueSet.Builder();
        int next = 0;
        for (int i = 0; i < count; i++) {
            next += 1 + (random.nextInt(4) == 0 ? random.nextInt(5) : 0);
            queues.add(next);
        }
        return queues.build();
    }

    /** Members that had some of the queues; several may have had the same. */
    private List<Assignee> members(int count, QueueSet pool) {
        List<Assignee> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            QueueSet before = random.nextBoolean() ? QueueSet.EMPTY : some(pool);
            members.add(new Assignee(new ShareMember("m" + i), pool, before));
        }
        return members;
    }

    private QueueSet some(QueueSet pool) {
        QueueSet.Builder some = new QueueSet.Builder();
        pool.forEachRange((first, count) -> {
            for (int i = 0; i < count; i++) {
                if (random.nextInt(3) == 0) {
                    some.add(first + i);
                }
            }
        });
        return some.build();
    }
}
