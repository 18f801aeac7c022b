package io.rivulet.broker.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** No id is used twice, whatever happens between the application of an entry and its completion. */
final class ProducerIdsTest {
    private record Appended(ByteBuffer entry, CompletableFuture<Integer> done) {}

    private final List<Appended> log = new ArrayList<>();
    private final ProducerIds ids = new ProducerIds();

    private CompletionStage<Integer> append(ByteBuffer entry) {
        CompletableFuture<Integer> done = new CompletableFuture<>();
        log.add(new Appended(entry, done));
        return done;
    }

    private CompletableFuture<Long> next() {
        return ids.next(this::append).toCompletableFuture();
    }

    private void apply(Appended one) {
        ids.apply(0, one.entry.duplicate());
    }

    @Test
    void anIdRequestedBetweenApplicationAndCompletionIsUnique() {
        CompletableFuture<Long> first = next();
        apply(log.get(0));
        CompletableFuture<Long> second = next();
        log.get(0).done.complete(0);
        CompletableFuture<Long> third = next();

        assertThat(List.of(first.join(), second.join(), third.join())).doesNotHaveDuplicates();
    }

    @Test
    void moreRequestsThanABlockHasIdsTakeTheNextBlocks() {
        List<CompletableFuture<Long>> asked = new ArrayList<>();
        for (int i = 0; i < 2500; i++) {
            asked.add(next());
        }
        for (int i = 0; i < log.size(); i++) {
            apply(log.get(i));
            log.get(i).done.complete(0);
        }

        assertThat(asked).allMatch(CompletableFuture::isDone);
        assertThat(asked.stream().map(CompletableFuture::join)).doesNotHaveDuplicates();
        assertThat(log).hasSize(3);
    }

    @Test
    void aRestartUsesNoIdsOfEarlierBlocks() {
        CompletableFuture<Long> before = next();
        apply(log.get(0));
        log.get(0).done.complete(0);
        ProducerIds restarted = new ProducerIds();
        restarted.apply(0, log.get(0).entry.duplicate());
        CompletableFuture<Long> after = restarted.next(this::append).toCompletableFuture();
        restarted.apply(0, log.get(1).entry.duplicate());
        log.get(1).done.complete(0);

        assertThat(after.join()).isGreaterThan(before.join() + 1);
    }

    @Test
    void aFailedBlockFailsItsRequestsAndTheNextRequestTriesAgain() {
        CompletableFuture<Long> first = next();
        log.get(0).done.completeExceptionally(new IllegalStateException("no space"));
        CompletableFuture<Long> second = next();
        apply(log.get(1));
        log.get(1).done.complete(0);

        assertThat(first).isCompletedExceptionally();
        assertThat(second.join()).isGreaterThanOrEqualTo(0);
    }

    /** As the other snapshots do: it is not a bug of this broker. */
    @Test
    void aSnapshotOfALaterVersionIsRefused() {
        ByteBuffer later = ByteBuffer.allocate(9).put((byte) 2).putLong(1000).flip();

        assertThatThrownBy(() -> ids.load(Channels.newChannel(new ByteArrayInputStream(later.array()))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("producer ids has version 2");
    }
}
