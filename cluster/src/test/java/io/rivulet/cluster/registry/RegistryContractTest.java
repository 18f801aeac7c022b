package io.rivulet.cluster.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.cluster.registry.Registry.Event;
import io.rivulet.cluster.registry.Registry.Versioned;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every registry promises. Two clients: the second may see old states until it is told of a change. */
public abstract class RegistryContractTest {
    /** What becomes true when events have arrived. */
    protected interface Condition {
        boolean holds() throws IOException;
    }

    private static final int SHARD = 3;
    private static final Incarnation FIRST = new Incarnation(1, 0x1111_2222_3333_4444L);
    private static final Incarnation SECOND = new Incarnation(2, -5);

    private final List<Registry> opened = new ArrayList<>();

    /** Another client of the same registry. */
    protected abstract Registry open() throws IOException;

    /** Ends the session of the client, although it lives. */
    protected abstract void expire(Registry client) throws IOException;

    /** An operator deletes the node of a shard. */
    protected abstract void deleteNode(int shard) throws IOException;

    /** An operator deletes the node of a member, whose session lives. */
    protected abstract void deleteMember(int brokerId) throws IOException;

    /** Waits for an event or more, until the condition holds. */
    protected abstract void await(Condition condition) throws IOException;

    private Registry client() throws IOException {
        Registry client = open();
        opened.add(client);
        return client;
    }

    @AfterEach
    void closeClients() throws IOException {
        for (Registry client : opened) {
            client.close();
        }
    }

    private static ShardNode node(String log) {
        return ShardNode.NEW.claimedBy(FIRST).withLog(StandardCharsets.UTF_8.encode(log));
    }

    private static Versioned state(int version, String log) {
        return new Versioned(version, node(log));
    }

    private static Member member(Incarnation who, String host) {
        return new Member(who, "PLAINTEXT://" + host + ":9092");
    }

    private static int version(@Nullable Versioned found) {
        return found == null ? Registry.NO_VERSION : found.version();
    }

    @Test
    void aShardHasNoNodeAtFirst() throws IOException {
        Registry registry = client();

        assertThat(registry.load(SHARD)).isNull();
        assertThat(registry.members()).isEmpty();
        assertThat(registry.confirm(SHARD, state(0, "one"))).isFalse();
        assertThat(registry.confirm(SHARD, null)).isTrue();
    }

    @Test
    void aClientSeesItsOwnSwaps() throws IOException {
        Registry registry = client();

        int first = registry.swap(SHARD, null, node("one"));
        assertThat(registry.load(SHARD)).isEqualTo(state(first, "one"));
        int second = registry.swap(SHARD, state(first, "one"), node("two"));

        assertThat(second).isEqualTo(first + 1);
        assertThat(registry.load(SHARD)).isEqualTo(state(second, "two"));
        assertThat(registry.load(SHARD + 1)).isNull();
    }

    @Test
    void onlyOneClientReplacesAVersion() throws IOException {
        Registry first = client();
        Registry second = client();

        int version = first.swap(SHARD, null, node("first"));
        assertThat(second.swap(SHARD, null, node("second"))).isEqualTo(Registry.NO_VERSION);
        int next = second.swap(SHARD, state(version, "first"), node("third"));
        assertThat(next).isEqualTo(version + 1);
        assertThat(first.swap(SHARD, state(version, "first"), node("fourth"))).isEqualTo(Registry.NO_VERSION);

        assertThat(second.load(SHARD)).isEqualTo(state(next, "third"));
    }

    @Test
    void aNodeThatIsNotThereIsNotReplaced() throws IOException {
        Registry registry = client();

        assertThat(registry.swap(SHARD, state(0, "one"), node("one"))).isEqualTo(Registry.NO_VERSION);
        assertThat(registry.load(SHARD)).isNull();
    }

    @Test
    void aVersionIsConfirmedUntilAnotherClientReplacesIt() throws IOException {
        Registry first = client();
        Registry second = client();

        int version = first.swap(SHARD, null, node("first"));
        Versioned state = state(version, "first");
        assertThat(first.confirm(SHARD, state)).isTrue();
        assertThat(second.confirm(SHARD, state)).isTrue();
        assertThat(first.confirm(SHARD, null)).isFalse();
        second.swap(SHARD, state, node("second"));

        assertThat(first.confirm(SHARD, state)).isFalse();
        assertThat(first.confirm(SHARD, state(version + 1, "second"))).isTrue();
    }

    @Test
    void aReadIsNotOlderThanAConfirmationBefore() throws IOException {
        Registry first = client();
        Registry second = client();
        int version = first.swap(SHARD, null, node("first"));
        int next = first.swap(SHARD, state(version, "first"), node("second"));

        assertThat(second.confirm(SHARD, state(version, "first"))).isFalse();
        assertThat(second.load(SHARD)).isEqualTo(state(next, "second"));
    }

    /** The versions of a node that was deleted and made again begin anew. */
    @Test
    void aStateIsNotConfirmedByTheNodeThatWasMadeAfterIt() throws IOException {
        Registry first = client();
        Registry second = client();
        int version = first.swap(SHARD, null, node("first"));
        Versioned state = state(version, "first");
        deleteNode(SHARD);
        assertThat(first.confirm(SHARD, state)).isFalse();
        assertThat(first.confirm(SHARD, null)).isTrue();

        assertThat(second.swap(SHARD, null, node("second"))).isEqualTo(version);
        assertThat(first.confirm(SHARD, state)).isFalse();
        assertThat(first.confirm(SHARD, state(version, "second"))).isTrue();
    }

    /** Else a client that has read the old node could claim what another one owns, with a log that was deleted. */
    @Test
    void aStateIsNotReplacedInANodeThatWasMadeAfterIt() throws IOException {
        Registry first = client();
        Registry second = client();
        int version = first.swap(SHARD, null, node("first"));
        deleteNode(SHARD);
        assertThat(second.swap(SHARD, null, node("second"))).isEqualTo(version);

        assertThat(first.swap(SHARD, state(version, "first"), node("third"))).isEqualTo(Registry.NO_VERSION);
        assertThat(second.load(SHARD)).isEqualTo(state(version, "second"));
    }

    @Test
    void aSwapIsReportedToOthers() throws IOException {
        Registry first = client();
        Registry second = client();
        List<Event> events = listen(second);
        first.swap(SHARD, null, node("one"));
        await(() -> version(second.load(SHARD)) == 0);
        drain(events);

        first.swap(SHARD, state(0, "one"), node("two"));

        await(() -> take(events) == Event.CHANGED && version(second.load(SHARD)) == 1);
    }

    @Test
    void membersComeAndGo() throws IOException {
        Registry first = client();
        Registry second = open();
        assertThat(second.join(member(SECOND, "b"))).isTrue();
        assertThat(first.join(member(FIRST, "a"))).isTrue();

        await(() -> first.members().equals(List.of(member(FIRST, "a"), member(SECOND, "b"))));
        second.close();

        await(() -> first.members().equals(List.of(member(FIRST, "a"))));
    }

    @Test
    void aMemberMayChangeItsEndpoints() throws IOException {
        Registry registry = client();
        registry.join(member(FIRST, "a"));

        assertThat(registry.join(member(FIRST, "elsewhere"))).isTrue();
        assertThat(registry.members()).containsExactly(member(FIRST, "elsewhere"));
    }

    @Test
    void aBrokerIdHasOneMember() throws IOException {
        Registry first = client();
        Registry second = client();
        first.join(member(FIRST, "a"));

        assertThat(second.join(member(new Incarnation(1, 99), "b"))).isFalse();
        await(() -> second.members().equals(List.of(member(FIRST, "a"))));
        first.close();

        await(() -> second.join(member(new Incarnation(1, 99), "b")));
    }

    @Test
    void aMemberThatWasDeletedMayJoinAgain() throws IOException {
        Registry registry = client();
        registry.join(member(FIRST, "a"));
        deleteMember(FIRST.brokerId());
        await(() -> registry.members().isEmpty());

        assertThat(registry.join(member(FIRST, "a"))).isTrue();
        assertThat(registry.members()).containsExactly(member(FIRST, "a"));
    }

    @Test
    void anExpiredClientIsNoMemberAndMayJoinAgain() throws IOException {
        Registry first = client();
        Registry second = client();
        List<Event> events = listen(first);
        first.join(member(FIRST, "a"));
        await(() -> !second.members().isEmpty());

        expire(first);

        await(() -> second.members().isEmpty());
        await(() -> take(events) == Event.EXPIRED);
        assertThat(first.join(member(FIRST, "a"))).isTrue();
        await(() -> second.members().equals(List.of(member(FIRST, "a"))));
    }

    @Test
    void anExpiredClientHearsOfChangesAndSwapsAsBefore() throws IOException {
        Registry first = client();
        Registry second = client();
        int version = first.swap(SHARD, null, node("one"));
        List<Event> events = listen(first);
        expire(first);
        await(() -> take(events) == Event.EXPIRED);

        int next = first.swap(SHARD, state(version, "one"), node("two"));
        assertThat(next).isEqualTo(version + 1);
        await(() -> version(second.load(SHARD)) == next);
        drain(events);
        int last = second.swap(SHARD, state(next, "two"), node("three"));

        await(() -> take(events) == Event.CHANGED && version(first.load(SHARD)) == last);
    }

    private static List<Event> listen(Registry client) {
        List<Event> events = new ArrayList<>();
        client.listen(event -> {
            synchronized (events) {
                events.add(event);
            }
        });
        return events;
    }

    private static @Nullable Event take(List<Event> events) {
        synchronized (events) {
            return events.isEmpty() ? null : events.remove(0);
        }
    }

    private static void drain(List<Event> events) {
        synchronized (events) {
            events.clear();
        }
    }
}
