package io.rivulet.cluster.registry;

import io.rivulet.cluster.registry.Registry.Event;
import io.rivulet.cluster.registry.Registry.Versioned;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What all clients of a registry share: the states that it had, and events on their way. Reads are old, events are late
 * and repeated, and with {@link #loseOneIn} questions and answers are lost, and questions arrive after their sender has
 * given up. A function of its seed. One thread at a time.
 */
public final class FakeRegistry {
    /** Mistakes of a registry, for tests that must find them. */
    public enum Bug {
        NONE,
        /** A node is replaced, whatever its state is. */
        NO_COMPARE,
        /** A version is confirmed by what a read would see. */
        OLD_CONFIRM
    }

    /** A member of a session. */
    record Joined(long session, Member member) {}

    /** Everything at one moment. Immutable. */
    record State(Map<Integer, Versioned> nodes, Map<Integer, Joined> members) {
        State {
            nodes = Map.copyOf(nodes);
            members = Map.copyOf(members);
        }
    }

    private record Late(FakeRegistryClient client, Event event, int state) {}

    private static final int REPEAT_ONE_IN = 5;

    final SplittableRandom random;
    final Bug bug;
    private final List<State> states = new ArrayList<>(List.of(new State(Map.of(), Map.of())));
    private final List<FakeRegistryClient> clients = new ArrayList<>();
    private final List<Late> events = new ArrayList<>();
    private final List<Runnable> questions = new ArrayList<>();
    private Runnable duringCall = () -> {};
    private int lostOneIn;
    private long sessions;

    public FakeRegistry(long seed, Bug bug) {
        this.random = new SplittableRandom(seed);
        this.bug = bug;
    }

    /** Another process. */
    public FakeRegistryClient client() {
        FakeRegistryClient client = new FakeRegistryClient(this, nextSession());
        clients.add(client);
        return client;
    }

    /** What happens elsewhere before a question arrives, and before its answer does. */
    public void duringCalls(Runnable action) {
        duringCall = action;
    }

    /** One in so many questions, and answers, is lost; 0 for none. */
    public void loseOneIn(int oneIn) {
        lostOneIn = oneIn;
    }

    /** Delivers an event or a late question; false if there was none. */
    public boolean deliverOne() {
        if (!questions.isEmpty() && (events.isEmpty() || random.nextBoolean())) {
            questions.remove(random.nextInt(questions.size())).run();
            return true;
        }
        if (events.isEmpty()) {
            return false;
        }
        // In order for each client.
        FakeRegistryClient client = events.get(random.nextInt(events.size())).client();
        if (client.isBehind()) {
            return true;
        }
        Late first = events.stream()
                .filter(each -> each.client() == client)
                .findFirst()
                .orElseThrow();
        if (random.nextInt(REPEAT_ONE_IN) > 0) {
            events.remove(first);
        }
        client.hear(first.event(), first.state());
        return true;
    }

    /** The session of this client ends, although it may live. */
    public void expire(FakeRegistryClient client) {
        if (!client.isExpired()) {
            removeMembersOf(client.session());
            client.expired();
        }
    }

    /** An operator deletes the node of a shard. */
    public void deleteNode(int shard) {
        State last = state(latest());
        Map<Integer, Versioned> nodes = new HashMap<>(last.nodes());
        nodes.remove(shard);
        change(new State(nodes, last.members()));
    }

    /** An operator deletes the node of a member, whose session lives. */
    public void deleteMember(int brokerId) {
        State last = state(latest());
        Map<Integer, Joined> members = new HashMap<>(last.members());
        members.remove(brokerId);
        change(new State(last.nodes(), members));
    }

    /** Whether there is a member with this id now. */
    public boolean isMember(int brokerId) {
        return state(latest()).members().containsKey(brokerId);
    }

    /** As a client would see it that is never behind. */
    public @Nullable Versioned current(int shard) {
        return state(latest()).nodes().get(shard);
    }

    // ---- for clients ----

    void elsewhere() {
        duringCall.run();
    }

    boolean isLost() {
        return lostOneIn > 0 && random.nextInt(lostOneIn) == 0;
    }

    void arrivesLater(Runnable question) {
        questions.add(question);
    }

    long nextSession() {
        return ++sessions;
    }

    int latest() {
        return states.size() - 1;
    }

    State state(int index) {
        return states.get(index);
    }

    int swap(int shard, @Nullable Versioned state, ShardNode node) {
        State last = state(latest());
        Versioned found = last.nodes().get(shard);
        if (!Objects.equals(found, state) && bug != Bug.NO_COMPARE) {
            return Registry.NO_VERSION;
        }
        int now = found == null ? Registry.NO_VERSION : found.version();
        Map<Integer, Versioned> nodes = new HashMap<>(last.nodes());
        nodes.put(shard, new Versioned(now + 1, node));
        change(new State(nodes, last.members()));
        return now + 1;
    }

    boolean join(long session, Member member) {
        State last = state(latest());
        Joined found = last.members().get(member.who().brokerId());
        if (found != null && found.session() != session) {
            return false;
        }
        Map<Integer, Joined> members = new HashMap<>(last.members());
        members.put(member.who().brokerId(), new Joined(session, member));
        change(new State(last.nodes(), members));
        return true;
    }

    void removeMembersOf(long session) {
        State last = state(latest());
        Map<Integer, Joined> members = new HashMap<>(last.members());
        if (members.values().removeIf(joined -> joined.session() == session)) {
            change(new State(last.nodes(), members));
        }
    }

    void notify(FakeRegistryClient client, Event event) {
        events.add(new Late(client, event, latest()));
    }

    void forget(FakeRegistryClient client) {
        clients.remove(client);
        events.removeIf(late -> late.client() == client);
    }

    private void change(State state) {
        states.add(state);
        clients.forEach(client -> notify(client, Event.CHANGED));
    }
}
