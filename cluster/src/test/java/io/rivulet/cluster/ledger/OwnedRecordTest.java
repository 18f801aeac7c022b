package io.rivulet.cluster.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.ForwardingEngine;
import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.store.failure.OwnerChangedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class OwnedRecordTest {
    private static final int SEEDS = 20;
    private static final int ALL = 1;
    private static final int NONE = 0;
    private static final int LOST_VERSION = 0;

    private final FakeEngine engine = FakeEngine.eager();

    /** Either the swap was made, and its answer was lost; or the question was lost. */
    @Test
    void anOwnerIsNotReplacedByItsOwnDecision() throws IOException {
        Set<List<Long>> seen = new HashSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            FakeEngine lossy = new FakeEngine(seed, FakeEngine.Bug.NONE);
            OwnedRecord owned = OwnedRecord.claim(lossy.client(), "log", false);
            lossy.loseAnswers(ALL);
            assertThatThrownBy(() -> owned.decide(record -> record.with(7)))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(OwnerChangedException.class);
            lossy.loseAnswers(NONE);

            owned.decide(record -> record.with(8));

            owned.requireOwned();
            seen.add(owned.record().ledgers().stream().map(LogRecord.Part::id).toList());
        }
        assertThat(seen).containsExactlyInAnyOrder(List.of(7L, 8L), List.of(8L));
    }

    /** Another server of the registry may not have the latest decision yet. */
    @Test
    void anOldReadAfterALostAnswerReplacesNobody() throws IOException {
        Deque<Engine.Versioned> old = new ArrayDeque<>();
        Engine behind = new ForwardingEngine(engine.client()) {
            @Override
            public Engine.@Nullable Versioned load(String name) throws IOException {
                return old.isEmpty() ? super.load(name) : old.remove();
            }

            @Override
            public int swap(String name, Engine.@Nullable Versioned state, ByteBuffer bytes) throws IOException {
                Engine.Versioned before = super.load(name);
                int swapped = super.swap(name, state, bytes);
                if (state != null && state.version() == LOST_VERSION && before != null && swapped != NO_VERSION) {
                    old.add(before);
                    throw new IOException("the answer is lost");
                }
                return swapped;
            }
        };
        OwnedRecord owned = OwnedRecord.claim(behind, "log", false);
        assertThatThrownBy(() -> owned.decide(record -> record.with(7))).hasMessageContaining("lost");

        owned.decide(record -> record.with(8));

        assertThat(owned.record().ledgers().stream().map(LogRecord.Part::id)).containsExactly(7L, 8L);
        assertThat(old).isEmpty();
    }

    @Test
    void anOwnerThatWasReplacedLearnsItAlsoAfterALostAnswer() throws IOException {
        OwnedRecord owned = OwnedRecord.claim(engine.client(), "log", false);
        engine.loseAnswers(ALL);
        assertThatThrownBy(() -> owned.decide(record -> record.with(7))).isInstanceOf(IOException.class);
        engine.loseAnswers(NONE);
        OwnedRecord next = OwnedRecord.claim(engine.client(), "log", false);

        assertThatThrownBy(() -> owned.decide(record -> record.with(8))).isInstanceOf(OwnerChangedException.class);
        assertThatThrownBy(owned::requireOwned).isInstanceOf(OwnerChangedException.class);
        next.decide(record -> record.with(9));
    }

    /** An operator has deleted the record of the first one. The next one has its version. */
    @Test
    void anOwnerLeavesARecordThatWasMadeAgainToTheNextOne() throws IOException {
        OwnedRecord owned = OwnedRecord.claim(engine.client(), "log", false);
        engine.deleteRecord("log");
        OwnedRecord next = OwnedRecord.claim(engine.client(), "log", false);

        assertThatThrownBy(() -> owned.decide(record -> record.with(7))).isInstanceOf(OwnerChangedException.class);

        next.decide(record -> record.with(8));
        next.requireOwned();
    }
}
