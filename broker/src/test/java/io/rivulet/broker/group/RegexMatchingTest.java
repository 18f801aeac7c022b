package io.rivulet.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.consumer.ConsumerContext.Found;
import io.rivulet.broker.group.consumer.ConsumerContext.Search;
import io.rivulet.broker.topic.TestTopics;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Searches share one thread and a memory limit. */
final class RegexMatchingTest {
    private static final int TOPICS = 2_000;
    private static final long PLENTY = 64 << 20;
    private static final long PATIENCE_SECONDS = 30;
    /** An expression whose thousands of states are all active at each character. */
    private static final String DEAR = "(?:[a-z0-9-]*[a-z-]*){240}!";

    private final TestTopics topics = new TestTopics();
    private final BlockingQueue<Runnable> delivered = new LinkedBlockingQueue<>();
    private RegexMatching matching = new RegexMatching(
            topics.catalogue(), PLENTY, delivered::add, Environment.of(StoreClock.system(0), new FailureLatch()));

    RegexMatchingTest() {
        for (int i = 0; i < TOPICS; i++) {
            topics.create("topic-with-a-name-that-is-long-enough-to-take-a-while-" + i, 1);
        }
    }

    @AfterEach
    void close() {
        matching.close();
    }

    @Test
    void aSmallSearchEndsBeforeALargeOneThatStartedEarlier() throws Exception {
        BlockingQueue<String> order = new LinkedBlockingQueue<>();
        AtomicBoolean wanted = new AtomicBoolean(true);
        matching.match(new Search(Set.of(DEAR), Access.UNLIMITED, wanted::get, found -> order.add("large")));
        matching.match(new Search(Set.of(".*-7"), Access.UNLIMITED, () -> true, found -> order.add("small")));

        next().run();

        assertThat(order).containsExactly("small");
        wanted.set(false);
    }

    @Test
    void anUnwantedSearchEnds() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        BooleanSupplier gone = () -> {
            asked.countDown();
            return false;
        };
        matching.match(new Search(Set.of(DEAR), Access.UNLIMITED, gone, found -> {}));

        assertThat(asked.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        matching.match(new Search(Set.of(".*"), Access.UNLIMITED, () -> true, found -> {}));
        next().run();
        assertThat(delivered).isEmpty();
    }

    @Test
    void searchesThatExceedTheMemoryTogetherRunOneAfterTheOther() throws Exception {
        matching.close();
        matching = new RegexMatching(
                topics.catalogue(),
                (TOPICS + 10) * RegexMatching.BYTES_PER_MATCH,
                delivered::add,
                Environment.of(StoreClock.system(0), new FailureLatch()));
        BlockingQueue<Found> found = new LinkedBlockingQueue<>();
        for (int i = 0; i < 3; i++) {
            matching.match(new Search(Set.of("topic.*[0-9]+"), Access.UNLIMITED, () -> true, found::add));
        }
        for (int i = 0; i < 3; i++) {
            next().run();
        }

        assertThat(found).hasSize(3).allSatisfy(one -> {
            assertThat(one.complete()).isTrue();
            assertThat(one.topics().get("topic.*[0-9]+")).hasSize(TOPICS);
        });
    }

    @Test
    void aSearchThatExceedsTheMemoryMatchesNothing() throws Exception {
        matching.close();
        matching = new RegexMatching(
                topics.catalogue(),
                100 * RegexMatching.BYTES_PER_MATCH,
                delivered::add,
                Environment.of(StoreClock.system(0), new FailureLatch()));
        BlockingQueue<Found> found = new LinkedBlockingQueue<>();
        matching.match(new Search(Set.of(".*", ".+"), Access.UNLIMITED, () -> true, found::add));
        next().run();

        assertThat(found).singleElement().satisfies(one -> {
            assertThat(one.complete()).isFalse();
            assertThat(one.topics()).containsOnlyKeys(".*", ".+");
            assertThat(one.topics().values()).allMatch(matches -> matches.isEmpty());
        });
    }

    @Test
    void anExpressionFromTheLogThatIsTooExpensiveMatchesNothing() throws Exception {
        BlockingQueue<Found> found = new LinkedBlockingQueue<>();
        String bomb = "((a{1000}){1000}){1000}";
        matching.match(new Search(Set.of(bomb, ".*-7"), Access.UNLIMITED, () -> true, found::add));
        next().run();

        assertThat(found).singleElement().satisfies(one -> {
            assertThat(one.topics().get(bomb)).isEmpty();
            assertThat(one.topics().get(".*-7")).hasSize(1);
        });
    }

    @Test
    void anExpressionIsCheckedOnAnotherThread() throws Exception {
        BlockingQueue<Optional<RefusedException>> checked = new LinkedBlockingQueue<>();
        matching.check("(", refusal -> checked.add(Optional.ofNullable(refusal)));
        assertThat(checked).isEmpty();
        next().run();

        assertThat(checked)
                .singleElement()
                .satisfies(refusal ->
                        assertThat(refusal.orElseThrow().code()).isEqualTo(ErrorCode.INVALID_REGULAR_EXPRESSION));
    }

    private Runnable next() throws InterruptedException {
        Runnable next = delivered.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }
}
