package io.rivulet.broker.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class HandshakeWorkTest {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final List<String> events = new ArrayList<>();
    private boolean connected = true;
    private final HandshakeWork work = new HandshakeWork(waiting::add, () -> connected, () -> events.add("done"));

    private void runNext() {
        waiting.remove().run();
    }

    @Test
    void itIsDoneWhenTheHandshakeHasEndedAndNoTaskIsLeft() {
        work.execute(() -> events.add("first"));
        work.execute(() -> events.add("second"));
        assertThat(work.isUnderWay()).isTrue();
        runNext();
        work.end();
        work.end();
        assertThat(events).containsExactly("first");
        runNext();
        assertThat(events).containsExactly("first", "second", "done");
    }

    @Test
    void itIsDoneAtTheEndOfAHandshakeWithoutTasks() {
        assertThat(work.isUnderWay()).isFalse();
        work.end();
        assertThat(events).containsExactly("done");
    }

    @Test
    void tasksOfAClientThatHasDisconnectedAreDropped() {
        work.execute(() -> events.add("never"));
        connected = false;
        work.end();
        runNext();
        assertThat(events).containsExactly("done");
    }

    @Test
    void aTaskThatFailsCountsNoLonger() {
        work.execute(() -> {
            throw new IllegalStateException("failed");
        });
        work.end();
        try {
            runNext();
        } catch (IllegalStateException e) {
            events.add(e.getMessage());
        }
        assertThat(events).containsExactly("done", "failed");
    }
}
