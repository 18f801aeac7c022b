package io.rivulet.broker.group.classic;

import io.rivulet.broker.error.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A simple model of Kafka's rules for one classic group. It predicts every response. It has no timers and no counters,
 * but computes everything anew from its members.
 */
final class ClassicModel {
    enum State {
        EMPTY,
        PREPARING,
        COMPLETING,
        STABLE
    }

    static final class Member {
        String id = "";

        @Nullable
        String instance;

        List<String> protocols = List.of();
        int content;
        long sessionNanos;
        long rebalanceNanos;
        long due;
        boolean isNew;
        int join = NO_CALL;
        int sync = NO_CALL;
    }

    static final int NO_CALL = -1;
    private static final long MILLI = 1_000_000;
    private static final long NEW_MEMBER_NANOS = 300_000 * MILLI;

    final Map<String, Member> members = new LinkedHashMap<>();
    final Map<String, Long> pending = new HashMap<>();
    /** The response to each call, by the number of the call. */
    final TreeMap<Integer, String> answers = new TreeMap<>();
    /** What to do when an entry is stored or has failed, the oldest first. */
    final Deque<java.util.function.Consumer<Boolean>> stores = new ArrayDeque<>();

    final Set<String> transitions = new TreeSet<>();
    State state = State.EMPTY;
    int generation;

    @Nullable
    String protocol;

    @Nullable
    String leader;

    private final int maxMembers;
    private final long initialDelay;
    private final Set<String> unsynced = new TreeSet<>();
    private boolean storing;
    private long phaseDue = Long.MAX_VALUE;
    private boolean initial;
    private boolean added;
    private long delayLeft;
    private int rebalances;
    private long nextId;
    private long now;

    ClassicModel(int maxMembers, long initialDelayMillis) {
        this.maxMembers = maxMembers;
        this.initialDelay = initialDelayMillis * MILLI;
    }

    // ---- time ----

    void until(long nanos) {
        while (true) {
            long first = phaseDue;
            for (Member member : members.values()) {
                first = Math.min(first, member.due);
            }
            for (long due : pending.values()) {
                first = Math.min(first, due);
            }
            if (first > nanos) {
                now = nanos;
                return;
            }
            now = first;
            elapse(first);
        }
    }

    private void elapse(long due) {
        if (phaseDue == due) {
            phaseDue = Long.MAX_VALUE;
            phaseOver();
            return;
        }
        for (Member member : List.copyOf(members.values())) {
            if (member.due == due) {
                member.due = Long.MAX_VALUE;
                if (member.isNew || (member.join == NO_CALL && member.sync == NO_CALL)) {
                    answerJoin(member, error(ErrorCode.UNKNOWN_MEMBER_ID, ""));
                    drop(member);
                    memberRemoved();
                }
                return;
            }
        }
        pending.entrySet().removeIf(one -> one.getValue() == due);
        completeIfAllJoined();
    }

    private void phaseOver() {
        if (state == State.PREPARING) {
            if (initial && added && delayLeft > 0) {
                long delay = Math.min(initialDelay, delayLeft);
                delayLeft -= delay;
                added = false;
                phaseDue = now + delay;
            } else {
                completeJoin();
            }
        } else {
            for (String id : List.copyOf(unsynced)) {
                drop(member(id));
            }
            prepare();
        }
    }

    // ---- calls ----

    void join(int call, Member wish, int version) {
        Member known = members.get(wish.id);
        long joining = members.values().stream().filter(m -> m.join != NO_CALL).count();
        boolean accepted = switch (state) {
            case EMPTY -> pending.size() < maxMembers;
            case PREPARING -> (known != null && known.join != NO_CALL) || joining < maxMembers;
            default -> known != null || members.size() < maxMembers;
        };
        if (!accepted) {
            if (known != null) {
                drop(known);
                completeIfAllJoined();
            }
            answers.put(call, error(ErrorCode.GROUP_MAX_SIZE_REACHED, ""));
        } else if (wish.protocols.isEmpty()
                || (state != State.EMPTY && wish.protocols.stream().noneMatch(this::allSupport))) {
            answers.put(call, error(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, wish.id));
        } else if (wish.id.isEmpty()) {
            joinAsNew(call, wish, version);
        } else if (pending.containsKey(wish.id) && wish.instance == null) {
            pending.remove(wish.id);
            add(call, wish);
        } else {
            joinAgain(call, wish);
        }
    }

    private void joinAsNew(int call, Member wish, int version) {
        wish.id = (wish.instance == null ? "client" : wish.instance) + "-" + nextId++;
        Member returning = wish.instance == null ? null : byInstance(wish.instance);
        if (returning != null) {
            replace(call, returning, wish, version);
        } else if (version >= 4 && wish.instance == null) {
            pending.put(wish.id, now + wish.sessionNanos);
            answers.put(call, error(ErrorCode.MEMBER_ID_REQUIRED, wish.id));
        } else {
            add(call, wish);
        }
    }

    private void add(int call, Member member) {
        member.isNew = true;
        member.due = now + NEW_MEMBER_NANOS;
        member.join = call;
        added = true;
        members.put(member.id, member);
        if (leader == null) {
            leader = member.id;
        }
        rebalance();
    }

    private void joinAgain(int call, Member wish) {
        ErrorCode error = check(wish.id, wish.instance);
        if (error != ErrorCode.NONE) {
            answers.put(call, error(error, wish.id));
            return;
        }
        Member member = member(wish.id);
        boolean same = member.protocols.equals(wish.protocols) && member.content == wish.content;
        if (same && (state == State.COMPLETING || (state == State.STABLE && !wish.id.equals(leader)))) {
            answers.put(call, joined(member, leader, false));
            return;
        }
        take(member, wish);
        answerJoin(member, error(ErrorCode.REBALANCE_IN_PROGRESS, member.id));
        member.join = call;
        rebalance();
    }

    private void replace(int call, Member member, Member wish, int version) {
        String oldId = member.id;
        String oldLeader = leader;
        List<String> oldProtocols = member.protocols;
        int oldContent = member.content;
        answerJoin(member, error(ErrorCode.FENCED_INSTANCE_ID, oldId));
        answerSync(member, "SYNC " + ErrorCode.FENCED_INSTANCE_ID);
        rename(member, wish.id);
        take(member, wish);
        member.due = now + member.sessionNanos;
        member.join = call;
        if (state != State.STABLE) {
            rebalance();
        } else if (!select().equals(protocol)) {
            prepare();
        } else {
            transitions.add("STABLE>STABLE");
            String newId = wish.id;
            stores.add(stored -> {
                if (!member.id.equals(newId) || members.get(newId) != member) {
                    return;
                }
                heard(member);
                if (!stored) {
                    answerJoin(member, error(ErrorCode.COORDINATOR_NOT_AVAILABLE, ""));
                    rename(member, oldId);
                    member.protocols = oldProtocols;
                    member.content = oldContent;
                } else if (version >= 9) {
                    answerJoin(member, joined(member, leader, newId.equals(leader)));
                } else {
                    answerJoin(member, joined(member, oldLeader, false));
                }
            });
        }
    }

    void sync(int call, String id, @Nullable String instance, int atGeneration, @Nullable String name) {
        ErrorCode error = state == State.EMPTY ? ErrorCode.UNKNOWN_MEMBER_ID : check(id, instance);
        if (error == ErrorCode.NONE && atGeneration != generation) {
            error = ErrorCode.ILLEGAL_GENERATION;
        }
        if (error == ErrorCode.NONE && name != null && !name.equals(protocol)) {
            error = ErrorCode.INCONSISTENT_GROUP_PROTOCOL;
        }
        if (error == ErrorCode.NONE && state == State.PREPARING) {
            error = ErrorCode.REBALANCE_IN_PROGRESS;
        }
        if (error != ErrorCode.NONE) {
            answers.put(call, "SYNC " + error);
            return;
        }
        unsynced.remove(id);
        if (unsynced.isEmpty()) {
            phaseDue = Long.MAX_VALUE;
        }
        if (state == State.STABLE) {
            answers.put(call, "SYNC " + ErrorCode.NONE);
            return;
        }
        Member member = member(id);
        answerSync(member, "SYNC " + ErrorCode.REBALANCE_IN_PROGRESS);
        member.sync = call;
        if (id.equals(leader) && !storing) {
            storing = true;
            int rebalance = rebalances;
            stores.add(stored -> {
                if (rebalance != rebalances || state != State.COMPLETING) {
                    return;
                }
                if (stored) {
                    become(State.STABLE);
                    propagate(ErrorCode.NONE);
                } else {
                    propagate(ErrorCode.COORDINATOR_NOT_AVAILABLE);
                    prepare();
                }
            });
        }
    }

    ErrorCode heartbeat(String id, @Nullable String instance, int atGeneration) {
        ErrorCode error = check(id, instance);
        if (error == ErrorCode.NONE && atGeneration != generation) {
            error = ErrorCode.ILLEGAL_GENERATION;
        }
        if (error == ErrorCode.NONE) {
            heard(member(id));
            error = state == State.PREPARING ? ErrorCode.REBALANCE_IN_PROGRESS : error;
        }
        return error;
    }

    ErrorCode commit(String id, @Nullable String instance, int atGeneration) {
        if (atGeneration < 0 && state == State.EMPTY) {
            return ErrorCode.NONE;
        }
        ErrorCode error = check(id, instance);
        if (error == ErrorCode.NONE && atGeneration != generation) {
            error = ErrorCode.ILLEGAL_GENERATION;
        }
        if (error == ErrorCode.NONE && state == State.COMPLETING) {
            error = ErrorCode.REBALANCE_IN_PROGRESS;
        }
        if (error == ErrorCode.NONE) {
            heard(member(id));
        }
        return error;
    }

    List<ErrorCode> leave(List<String> ids, List<@Nullable String> instances) {
        List<ErrorCode> results = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            String id = ids.get(i);
            if (pending.remove(id) != null) {
                results.add(ErrorCode.NONE);
                continue;
            }
            String instance = instances.get(i);
            Member member = id.isEmpty() && instance != null ? byInstance(instance) : members.get(id);
            ErrorCode error = member == null || !id.isEmpty() ? check(id, instance) : ErrorCode.NONE;
            if (error == ErrorCode.NONE && member != null) {
                answerJoin(member, error(ErrorCode.UNKNOWN_MEMBER_ID, ""));
                drop(member);
            }
            results.add(error);
        }
        if (results.contains(ErrorCode.NONE)) {
            memberRemoved();
        }
        return results;
    }

    // ---- rebalance ----

    private void memberRemoved() {
        if (state == State.PREPARING) {
            completeIfAllJoined();
        } else if (state != State.EMPTY) {
            prepare();
        }
    }

    private void rebalance() {
        if (state == State.PREPARING) {
            if (!initial) {
                completeIfAllJoined();
            }
        } else {
            prepare();
        }
    }

    private void prepare() {
        if (state == State.COMPLETING) {
            propagate(ErrorCode.REBALANCE_IN_PROGRESS);
        }
        initial = state == State.EMPTY;
        become(State.PREPARING);
        if (initial) {
            added = false;
            delayLeft = Math.max(0, rebalanceNanos() - initialDelay);
            phaseDue = now + initialDelay;
        } else {
            phaseDue = now + rebalanceNanos();
            completeIfAllJoined();
        }
    }

    private void completeIfAllJoined() {
        if (state == State.PREPARING
                && pending.isEmpty()
                && members.values().stream().allMatch(m -> m.join != NO_CALL)) {
            completeJoin();
        }
    }

    private void completeJoin() {
        for (Member member : List.copyOf(members.values())) {
            if (member.join == NO_CALL && member.instance == null) {
                drop(member);
            }
        }
        if (members.isEmpty()) {
            phaseDue = Long.MAX_VALUE;
            become(State.EMPTY);
            generation++;
            protocol = null;
            stores.add(stored -> {});
            return;
        }
        Member leading = leader == null ? null : members.get(leader);
        if (leading == null || leading.join == NO_CALL) {
            String first = members.values().stream()
                    .filter(m -> m.join != NO_CALL)
                    .map(m -> m.id)
                    .findFirst()
                    .orElse(null);
            if (first == null) {
                phaseDue = now + rebalanceNanos();
                return;
            }
            leader = first;
        }
        generation++;
        protocol = select();
        become(State.COMPLETING);
        storing = false;
        unsynced.clear();
        unsynced.addAll(members.keySet());
        phaseDue = now + rebalanceNanos();
        for (Member member : members.values()) {
            member.isNew = false;
            heard(member);
            answerJoin(member, joined(member, leader, false));
        }
    }

    private void propagate(ErrorCode error) {
        for (Member member : members.values()) {
            if (member.sync != NO_CALL) {
                answerSync(member, "SYNC " + error);
                heard(member);
            }
        }
    }

    private void become(State next) {
        transitions.add(state + ">" + next);
        state = next;
        rebalances++;
    }

    // ---- helpers ----

    private long rebalanceNanos() {
        return members.values().stream().mapToLong(m -> m.rebalanceNanos).max().orElse(0);
    }

    private void heard(Member member) {
        member.due = now + member.sessionNanos;
    }

    private static void take(Member member, Member wish) {
        member.protocols = wish.protocols;
        member.content = wish.content;
        member.sessionNanos = wish.sessionNanos;
        member.rebalanceNanos = wish.rebalanceNanos;
    }

    private void rename(Member member, String newId) {
        members.remove(member.id);
        if (member.id.equals(leader)) {
            leader = newId;
        }
        member.id = newId;
        members.put(newId, member);
    }

    private void drop(Member member) {
        members.remove(member.id);
        unsynced.remove(member.id);
        if (member.id.equals(leader)) {
            leader = members.isEmpty() ? null : members.keySet().iterator().next();
        }
        answerSync(member, "SYNC " + ErrorCode.UNKNOWN_MEMBER_ID);
    }

    private Member member(String id) {
        return Objects.requireNonNull(members.get(id), id);
    }

    private @Nullable Member byInstance(String instance) {
        return members.values().stream()
                .filter(m -> instance.equals(m.instance))
                .findFirst()
                .orElse(null);
    }

    private ErrorCode check(String id, @Nullable String instance) {
        if (instance != null) {
            Member member = byInstance(instance);
            return member == null
                    ? ErrorCode.UNKNOWN_MEMBER_ID
                    : member.id.equals(id) ? ErrorCode.NONE : ErrorCode.FENCED_INSTANCE_ID;
        }
        return members.containsKey(id) ? ErrorCode.NONE : ErrorCode.UNKNOWN_MEMBER_ID;
    }

    private boolean allSupport(String name) {
        return members.values().stream().allMatch(m -> m.protocols.contains(name));
    }

    private String select() {
        Map<String, Long> votes = members.values().stream()
                .map(m -> m.protocols.stream()
                        .filter(this::allSupport)
                        .findFirst()
                        .orElseThrow())
                .collect(Collectors.groupingBy(name -> name, LinkedHashMap::new, Collectors.counting()));
        long most = Collections.max(votes.values());
        return votes.entrySet().stream()
                .filter(vote -> vote.getValue() == most)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private String joined(Member member, @Nullable String responseLeader, boolean skip) {
        boolean listed = member.id.equals(responseLeader) && member.id.equals(leader);
        return "JOIN " + ErrorCode.NONE + " " + generation + " " + protocol + " " + responseLeader + " " + member.id
                + " " + (listed ? members.size() : 0) + " " + skip;
    }

    static String error(ErrorCode error, String id) {
        return "JOIN " + error + " " + id;
    }

    private void answerJoin(Member member, String answer) {
        if (member.join != NO_CALL) {
            answers.put(member.join, answer);
            member.join = NO_CALL;
        }
    }

    private void answerSync(Member member, String answer) {
        if (member.sync != NO_CALL) {
            answers.put(member.sync, answer);
            member.sync = NO_CALL;
        }
    }
}
