package io.rivulet.cluster.registry;

import io.rivulet.cluster.registry.FakeRegistry.Bug;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One process that uses the registry in memory. */
public final class FakeRegistryClient implements Registry {
    private interface Call<T> {
        T call();
    }

    private final FakeRegistry registry;
    private final List<Consumer<Event>> listeners = new ArrayList<>();
    private long session;
    private boolean isExpired;
    private boolean isCut;
    private boolean isClosed;
    private boolean isBehind;
    /** The state that reads see, at least. */
    private int seen;

    FakeRegistryClient(FakeRegistry registry, long session) {
        this.registry = registry;
        this.session = session;
    }

    long session() {
        return session;
    }

    /** Whether nothing gets through. */
    public void cut(boolean nothingPasses) {
        if (isCut != nothingPasses) {
            isCut = nothingPasses;
            registry.notify(this, isCut ? Event.DISCONNECTED : Event.CHANGED);
        }
    }

    public boolean isCut() {
        return isCut;
    }

    boolean isExpired() {
        return isExpired;
    }

    /** Whether its member of the registry learns of nothing more, and answers reads nevertheless. */
    public void behind(boolean learnsNothing) {
        isBehind = learnsNothing;
    }

    boolean isBehind() {
        return isBehind;
    }

    void expired() {
        isExpired = true;
        registry.notify(this, Event.EXPIRED);
    }

    void hear(Event event, int state) {
        if (event == Event.EXPIRED) {
            renew();
        } else if (event == Event.CHANGED) {
            seen = Math.max(seen, state);
        }
        listeners.forEach(listener -> listener.accept(event));
    }

    private void renew() {
        if (isExpired) {
            isExpired = false;
            session = registry.nextSession();
            seen = isBehind ? seen : registry.random.nextInt(registry.latest() + 1);
        }
    }

    /** As a read of a member of the registry that is behind. */
    private FakeRegistry.State read() {
        seen += isBehind ? 0 : registry.random.nextInt(registry.latest() - seen + 1);
        return registry.state(seen);
    }

    private <T> T change(Call<T> call) {
        T answer = call.call();
        seen = registry.latest();
        return answer;
    }

    private <T> T ask(Call<T> call) throws IOException {
        registry.elsewhere();
        requireConnection();
        if (registry.isLost()) {
            throw new IOException("the question is lost");
        }
        renew();
        T answer = call.call();
        registry.elsewhere();
        requireConnection();
        if (registry.isLost()) {
            throw new IOException("the answer is lost");
        }
        return answer;
    }

    private void requireConnection() throws IOException {
        if (isCut || isClosed) {
            throw new IOException("cut off");
        }
    }

    @Override
    public @Nullable Versioned load(int shard) throws IOException {
        return ask(() -> Optional.ofNullable(read().nodes().get(shard))).orElse(null);
    }

    @Override
    public int swap(int shard, @Nullable Versioned state, ShardNode node) throws IOException {
        if (registry.isLost()) {
            registry.arrivesLater(() -> registry.swap(shard, state, node));
            throw new IOException("the question is late");
        }
        return ask(() -> change(() -> registry.swap(shard, state, node)));
    }

    @Override
    public boolean confirm(int shard, @Nullable Versioned state) throws IOException {
        return ask(() -> {
            if (registry.bug == Bug.OLD_CONFIRM) {
                return Objects.equals(read().nodes().get(shard), state);
            }
            seen = isBehind ? seen : registry.latest();
            return Objects.equals(registry.current(shard), state);
        });
    }

    @Override
    public boolean join(Member self) throws IOException {
        return ask(() -> change(() -> registry.join(session, self)));
    }

    @Override
    public List<Member> members() throws IOException {
        return ask(() -> read().members().values().stream()
                .map(FakeRegistry.Joined::member)
                .sorted(Comparator.comparingInt(member -> member.who().brokerId()))
                .toList());
    }

    @Override
    public void listen(Consumer<Event> listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        isClosed = true;
        registry.removeMembersOf(session);
        registry.forget(this);
    }

    /** The process has died: its session lives on until it is {@link FakeRegistry#expire expired}. */
    public void die() {
        isClosed = true;
        registry.forget(this);
    }
}
