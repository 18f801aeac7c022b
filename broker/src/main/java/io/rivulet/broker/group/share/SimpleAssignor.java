package io.rivulet.broker.group.share;

import io.rivulet.broker.group.consumer.QueueSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Assigns the queues of a share group, as Kafka's assignor of that name: each queue has a member, each member has a
 * queue, and members keep what they have as far as the balance allows. If there are more members than queues, each
 * queue has several.
 *
 * <p>Queues that the same members may have form a pool, and each pool is assigned by itself. The cost depends on the
 * number of members and ranges, not of queues. A pure function.
 */
final class SimpleAssignor {
    static final String NAME = "simple";

    /** A member as the assignor sees it. */
    static final class Assignee {
        final ShareMember member;
        /** The queues that its subscription allows. */
        final QueueSet eligible;

        private final QueueSet before;
        private final QueueSet.Builder given = new QueueSet.Builder();

        Assignee(ShareMember member, QueueSet eligible, QueueSet before) {
            this.member = member;
            this.eligible = eligible;
            this.before = before;
        }

        /** Its new queues. */
        QueueSet queues() {
            return given.build();
        }
    }

    private SimpleAssignor() {}

    /** @param assignees in an order that depends on the members' ids only */
    static void assign(List<Assignee> assignees) {
        pools(assignees).forEach((eligible, queues) -> {
            List<Assignee> members = eligible.stream().mapToObj(assignees::get).toList();
            QueueSet pool = queues.build();
            if (members.size() <= pool.size()) {
                divide(pool, members);
            } else {
                share(pool, members);
            }
        });
    }

    /** The queues that the same members may have. */
    private static Map<BitSet, QueueSet.Builder> pools(List<Assignee> assignees) {
        Map<QueueSet, BitSet> byEligible = new HashMap<>();
        for (int i = 0; i < assignees.size(); i++) {
            byEligible
                    .computeIfAbsent(assignees.get(i).eligible, set -> new BitSet())
                    .set(i);
        }
        TreeMap<Integer, BitSet> changes = new TreeMap<>();
        byEligible.forEach((set, members) -> set.forEachRange((first, count) -> {
            changes.computeIfAbsent(first, at -> new BitSet()).xor(members);
            changes.computeIfAbsent(first + count, at -> new BitSet()).xor(members);
        }));
        Map<BitSet, QueueSet.Builder> pools = new HashMap<>();
        BitSet current = new BitSet();
        int from = 0;
        for (Map.Entry<Integer, BitSet> change : changes.entrySet()) {
            if (!current.isEmpty()) {
                pools.computeIfAbsent((BitSet) current.clone(), members -> new QueueSet.Builder())
                        .addRange(from, change.getKey() - from);
            }
            current.xor(change.getValue());
            from = change.getKey();
        }
        return pools;
    }

    // ---- at least as many queues as members: each queue has one member ----

    private static void divide(QueueSet pool, List<Assignee> members) {
        QueueSet[] kept = new QueueSet[members.size()];
        QueueSet taken = QueueSet.EMPTY;
        for (int i = 0; i < kept.length; i++) {
            kept[i] = members.get(i).before.intersect(pool).minus(taken);
            taken = taken.union(kept[i]);
        }
        int[] quotas = quotas(pool.size(), kept);
        QueueSet.Builder keptByAny = new QueueSet.Builder();
        int[] missing = new int[kept.length];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = kept[i].first(quotas[i]);
            missing[i] = quotas[i] - kept[i].size();
            keptByAny.addAll(kept[i]);
        }
        QueueSet[] more = pool.minus(keptByAny.build()).split(missing);
        for (int i = 0; i < kept.length; i++) {
            members.get(i).given.addAll(kept[i]).addAll(more[i]);
        }
    }

    /** How many queues each member gets. Members that have more now are the first to get one more than others. */
    private static int[] quotas(int queues, QueueSet[] kept) {
        int[] quotas = new int[kept.length];
        int least = queues / kept.length;
        int extra = queues % kept.length;
        Arrays.fill(quotas, least);
        for (int i = 0; i < kept.length && extra > 0; i++) {
            if (kept[i].size() > least) {
                quotas[i]++;
                extra--;
            }
        }
        for (int i = 0; i < kept.length && extra > 0; i++) {
            if (quotas[i] == least) {
                quotas[i]++;
                extra--;
            }
        }
        return quotas;
    }

    // ---- more members than queues: each queue has several members ----

    /** Each member gets one queue, and some get two, so that all queues have as many members. */
    private static void share(QueueSet pool, List<Assignee> members) {
        Shared shared = new Shared(pool, members);
        shared.keepOne();
        shared.giveOne();
        shared.keepSecond();
        shared.giveSecond();
        shared.end();
    }

    /** Queues that have several members. There are fewer of them than members. */
    private static final class Shared {
        private final int[] queues;
        private final List<Assignee> members;
        private final int[] count;
        /** For each member, the index of its first and second queue; -1 for none. */
        private final int[] first;

        private final int[] second;
        private final int sharing;
        private int seconds;

        Shared(QueueSet pool, List<Assignee> members) {
            this.members = members;
            this.queues = new int[pool.size()];
            int[] filled = {0};
            pool.forEachRange((from, length) -> {
                for (int i = 0; i < length; i++) {
                    queues[filled[0]++] = from + i;
                }
            });
            this.count = new int[queues.length];
            this.first = new int[members.size()];
            this.second = new int[members.size()];
            Arrays.fill(first, -1);
            Arrays.fill(second, -1);
            this.sharing = (members.size() + queues.length - 1) / queues.length;
            this.seconds = sharing * queues.length - members.size();
        }

        void keepOne() {
            for (int i = 0; i < first.length; i++) {
                first[i] = keep(i);
            }
        }

        void giveOne() {
            for (int i = 0; i < first.length; i++) {
                first[i] = first[i] < 0 ? give(i) : first[i];
            }
        }

        void keepSecond() {
            for (int i = 0; i < second.length && seconds > 0; i++) {
                second[i] = keep(i);
                seconds -= second[i] < 0 ? 0 : 1;
            }
        }

        void giveSecond() {
            for (int i = 0; i < second.length && seconds > 0; i++) {
                if (second[i] < 0) {
                    second[i] = give(i);
                    seconds -= second[i] < 0 ? 0 : 1;
                }
            }
        }

        void end() {
            for (int i = 0; i < first.length; i++) {
                QueueSet.Builder given = members.get(i).given.add(queues[first[i]]);
                if (second[i] >= 0) {
                    given.add(queues[second[i]]);
                }
            }
        }

        /** A queue that the member had before and that has room; -1 if there is none. */
        private int keep(int member) {
            for (int queue = 0; queue < queues.length; queue++) {
                if (queue != first[member]
                        && count[queue] < sharing
                        && members.get(member).before.contains(queues[queue])) {
                    count[queue]++;
                    return queue;
                }
            }
            return -1;
        }

        /** The queue with the fewest members that the member does not have; -1 if none has room. */
        private int give(int member) {
            int best = -1;
            for (int queue = 0; queue < queues.length; queue++) {
                if (queue != first[member] && count[queue] < sharing && (best < 0 || count[queue] < count[best])) {
                    best = queue;
                }
            }
            if (best >= 0) {
                count[best]++;
            }
            return best;
        }
    }

    /** Assigns the queues of the members, and returns what each has then. */
    static List<Assignee> assigned(Iterable<ShareMember> members) {
        List<Assignee> assignees = new ArrayList<>();
        members.forEach(member -> assignees.add(new Assignee(member, member.allowed, member.target)));
        assign(assignees);
        return assignees;
    }
}
