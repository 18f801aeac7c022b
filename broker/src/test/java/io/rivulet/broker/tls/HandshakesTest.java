package io.rivulet.broker.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.failure.FailureLatch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HandshakesTest {
    private final Handshakes handshakes = new Handshakes(2, 1, new FailureLatch());
    private final List<Integer> came = new ArrayList<>();
    private final Handshakes.Turn[] turns = {() -> came.add(0), () -> came.add(1), () -> came.add(2), () -> came.add(3)
    };

    @Test
    void onlySoManyAreUnderWayAndTheNewestIsNext() {
        for (Handshakes.Turn turn : turns) {
            handshakes.enter(turn);
        }
        assertThat(came).containsExactly(0, 1);
        assertThat(handshakes.someWait()).isTrue();
        handshakes.leave(turns[1]);
        assertThat(came).containsExactly(0, 1, 3);
        handshakes.leave(turns[0]);
        assertThat(came).containsExactly(0, 1, 3, 2);
        assertThat(handshakes.someWait()).isFalse();
    }

    @Test
    void oneThatGoesAwayWhileItWaitsTakesNoTurn() {
        for (Handshakes.Turn turn : turns) {
            handshakes.enter(turn);
        }
        handshakes.leave(turns[3]);
        handshakes.leave(turns[0]);
        handshakes.leave(turns[0]);
        assertThat(came).containsExactly(0, 1, 2);
    }
}
