package io.rivulet.broker.group.consumer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Balances the number of queues of members, and moves only as many queues as the balance needs.
 *
 * <p>Queues that may go to the same members form a {@link Pool}; with equal subscriptions there is one. In a pool,
 * members above a level give queues and members below take them. Afterwards all members are at the level or one above
 * it, except those with too many queues of other pools or too few of this one. This repeats for all pools until nothing
 * moves: then no queue can move to a member that has two fewer. With one pool, one round is enough, and no other
 * balanced assignment moves fewer queues.
 *
 * <p>The cost for each pool depends on the number of members and ranges, not of queues. If it becomes too high, because
 * each member subscribes to other topics, levelling ends early.
 */
final class UniformAssignor {
    /**
     * Each round lowers the sum of squares, so the rounds end anyway. This bounds the work if subscriptions overlap in
     * long chains.
     */
    private static final int MAX_ROUNDS = 32;
    /**
     * Limit of visited members in all rounds, which takes some tens of milliseconds. An almost balanced assignment is
     * good enough.
     */
    private static final long MAX_VISITS = 10_000_000;

    private final int[] loads;
    private final List<Pool> pools;
    private long visits;

    private UniformAssignor(List<Assignor.Assignee> assignees) {
        this.loads = new int[assignees.size()];
        this.pools = pools(assignees);
    }

    static void assign(List<Assignor.Assignee> assignees) {
        new UniformAssignor(assignees).balance(assignees);
    }

    private void balance(List<Assignor.Assignee> assignees) {
        for (Pool pool : pools) {
            for (int i = 0; i < pool.members.length; i++) {
                loads[pool.members[i]] += pool.held[i].size();
            }
        }
        pools.forEach(pool -> pool.level(false));
        boolean moved = true;
        for (int round = 0; moved && round < MAX_ROUNDS && visits < MAX_VISITS; round++) {
            moved = false;
            for (Pool pool : pools) {
                moved |= visits < MAX_VISITS && pool.level(true);
            }
        }
        List<QueueSet.Builder> result = new ArrayList<>();
        assignees.forEach(assignee -> result.add(new QueueSet.Builder()));
        for (Pool pool : pools) {
            for (int i = 0; i < pool.members.length; i++) {
                result.get(pool.members[i]).addAll(pool.held[i]);
            }
        }
        for (int i = 0; i < result.size(); i++) {
            assignees.get(i).queues = result.get(i).build();
        }
    }

    /** Splits the queues into pools that the same members may have; the pools with the fewest members come first. */
    private List<Pool> pools(List<Assignor.Assignee> assignees) {
        List<Piece> pieces = pieces(assignees);
        for (int i = 0; i < assignees.size(); i++) {
            hold(i, assignees.get(i).queues, pieces);
        }
        List<Pool> cut = pieces.stream().map(Piece::pool).distinct().collect(Collectors.toCollection(ArrayList::new));
        cut.forEach(Pool::finish);
        cut.sort(Comparator.<Pool>comparingInt(pool -> pool.members.length).thenComparingInt(pool -> pool.lowestQueue));
        return cut;
    }

    /** Queues with consecutive ids that the same members may have. */
    private record Piece(int first, int end, Pool pool) {}

    /** In the order of ids. */
    private List<Piece> pieces(List<Assignor.Assignee> assignees) {
        Map<QueueSet, BitSet> bySubscription = new HashMap<>();
        for (int i = 0; i < assignees.size(); i++) {
            bySubscription
                    .computeIfAbsent(assignees.get(i).eligible, set -> new BitSet())
                    .set(i);
        }
        TreeMap<Integer, BitSet> changes = new TreeMap<>();
        bySubscription.forEach((set, members) -> set.forEachRange((first, count) -> {
            changes.computeIfAbsent(first, at -> new BitSet()).xor(members);
            changes.computeIfAbsent(first + count, at -> new BitSet()).xor(members);
        }));
        List<Piece> pieces = new ArrayList<>();
        Map<BitSet, Pool> byMembers = new HashMap<>();
        BitSet current = new BitSet();
        int from = 0;
        for (Map.Entry<Integer, BitSet> change : changes.entrySet()) {
            if (!current.isEmpty()) {
                Pool pool = byMembers.computeIfAbsent((BitSet) current.clone(), Pool::new);
                pool.add(from, change.getKey() - from);
                pieces.add(new Piece(from, change.getKey(), pool));
            }
            current.xor(change.getValue());
            from = change.getKey();
        }
        return pieces;
    }

    /** Records the queues that the member has, without those that it may no longer have. */
    private static void hold(int member, QueueSet queues, List<Piece> pieces) {
        queues.forEachRange((first, count) -> {
            int end = first + count;
            for (int i = firstBehind(pieces, first); i < pieces.size() && pieces.get(i).first < end; i++) {
                Piece piece = pieces.get(i);
                int from = Math.max(first, piece.first);
                piece.pool.hold(member, from, Math.min(end, piece.end) - from);
            }
        });
    }

    /** The piece that holds the queue, or the next one. */
    private static int firstBehind(List<Piece> pieces, int queueId) {
        int low = 0;
        int high = pieces.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (pieces.get(middle).end <= queueId) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private final class Pool {
        /** Indexes of the members that may have these queues. */
        final int[] members;
        /** The queues of the pool that each of them has. */
        final QueueSet[] held;

        int lowestQueue;
        private QueueSet free = QueueSet.EMPTY;
        private final QueueSet.Builder queues = new QueueSet.Builder();
        private final Map<Integer, QueueSet.Builder> holding = new HashMap<>(0);

        Pool(BitSet eligible) {
            members = eligible.stream().toArray();
            held = new QueueSet[members.length];
            Arrays.fill(held, QueueSet.EMPTY);
        }

        void add(int first, int count) {
            queues.addRange(first, count);
        }

        void hold(int member, int first, int count) {
            int i = Arrays.binarySearch(members, member);
            if (i >= 0) {
                holding.computeIfAbsent(i, at -> new QueueSet.Builder()).addRange(first, count);
            }
        }

        /** All queues are added and held. */
        void finish() {
            QueueSet.Builder taken = new QueueSet.Builder();
            holding.forEach((i, queuesOfMember) -> {
                held[i] = queuesOfMember.build();
                taken.addAll(held[i]);
            });
            holding.clear();
            QueueSet all = queues.build();
            lowestQueue = all.anyQueue();
            free = all.minus(taken.build());
        }

        /**
         * Hands out free queues and levels the members.
         *
         * @param mayTake whether queues may be taken from members above the level
         * @return whether anything moved
         */
        boolean level(boolean mayTake) {
            int level = highestLevel(mayTake);
            int given = mayTake ? surplus(level + 1) : 0;
            int balance = free.size() + given - (int) missing(level);
            int extra = Math.max(0, -balance);
            if (free.isEmpty() && given + extra == 0) {
                return false;
            }
            if (given + extra > 0) {
                give(level, extra);
            }
            take(level, Math.max(0, balance));
            return true;
        }

        /** The highest level that all members below can reach with the free queues and the surplus of those above. */
        private int highestLevel(boolean mayTake) {
            int low = 0;
            int high = free.size();
            for (int member : members) {
                high = Math.max(high, loads[member] + free.size());
            }
            while (low < high) {
                visits += members.length;
                int middle = low + (high - low + 1) / 2;
                long supply = (long) free.size() + (mayTake ? surplus(middle) : 0);
                if (missing(middle) <= supply) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return low;
        }

        private int surplus(int level) {
            int sum = 0;
            for (int i = 0; i < members.length; i++) {
                sum += Math.min(held[i].size(), Math.max(0, loads[members[i]] - level));
            }
            return sum;
        }

        /** The queues that members below the level lack. A long, because levels that are far too high are tried too. */
        private long missing(int level) {
            long sum = 0;
            for (int member : members) {
                sum += Math.max(0, level - loads[member]);
            }
            return sum;
        }

        /**
         * Takes queues from members above the level, down to one above it; from the last {@code extra} members, down to
         * the level.
         */
        private void give(int level, int extra) {
            QueueSet.Builder pot = new QueueSet.Builder().addAll(free);
            int left = extra;
            for (int i = members.length - 1; i >= 0; i--) {
                int above = Math.min(held[i].size(), Math.max(0, loads[members[i]] - level - 1));
                if (left > 0 && held[i].size() > above && loads[members[i]] - above > level) {
                    above++;
                    left--;
                }
                QueueSet given = held[i].last(above);
                held[i] = held[i].minus(given);
                loads[members[i]] -= above;
                pot.addAll(given);
            }
            free = pot.build();
        }

        /** Raises members below the level up to it. The first {@code spare} members at the level get one more each. */
        private void take(int level, int spare) {
            int[] quota = new int[members.length];
            int left = spare;
            for (int i = 0; i < members.length; i++) {
                quota[i] = Math.max(0, level - loads[members[i]]);
                if (left > 0 && loads[members[i]] + quota[i] == level) {
                    quota[i]++;
                    left--;
                }
            }
            if (left > 0 || Arrays.stream(quota).sum() != free.size()) {
                throw new IllegalStateException("the quotas of the members do not match the free queues");
            }
            QueueSet[] taken = free.split(quota);
            for (int i = 0; i < members.length; i++) {
                held[i] = held[i].union(taken[i]);
                loads[members[i]] += quota[i];
            }
            free = QueueSet.EMPTY;
        }
    }
}
