package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.net.RequestMemory.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** No request fails or waits for ever, and the sum stays below the limit. */
final class RequestMemoryTest {
    private static final int MIB = 1 << 20;
    private static final int LARGEST = 10 * MIB;
    private static final int MAX = 30 * MIB;
    private static final int PATIENCE_MILLIS = 1000;

    private final AtomicLong nanos = new AtomicLong();
    private final RequestMemory memory = new RequestMemory(MAX, LARGEST, PATIENCE_MILLIS, nanos::get);
    private final List<String> notified = new ArrayList<>();

    private Share share(String name, int bytes) {
        return memory.share(bytes, () -> notified.add(name + " is granted"), () -> notified.add(name + " is given up"));
    }

    @Test
    void aRequestIsChargedForItsBytesAndNotForItsAnnouncedLength() {
        for (int i = 0; i < 1000; i++) {
            assertThat(share("announced", LARGEST).take(1024)).isTrue();
        }

        assertThat(memory.usedBytes()).isEqualTo(1000 * 1024);
    }

    @Test
    void theLongestWaitingRequestGetsTheReservedMemory() {
        fill(LARGEST);
        Share first = share("first", LARGEST);
        Share second = share("second", LARGEST);

        assertThat(first.take(LARGEST)).as("from the reserved memory").isTrue();
        assertThat(second.take(MIB)).isFalse();
        assertThat(notified).isEmpty();
        first.release();

        assertThat(notified).containsExactly("second is granted");
        assertThat(memory.usedBytes()).isLessThanOrEqualTo(MAX);
    }

    @Test
    void smallRequestsGetMemoryThatLargeOnesDoNot() {
        fill(LARGEST);
        assertThat(share("first", LARGEST).take(MIB)).isTrue();

        assertThat(share("large", LARGEST).take(MIB)).isFalse();
        assertThat(share("small", MIB).take(MIB)).isTrue();
    }

    @Test
    void smallRequestsAreServedBeforeLargeOnes() {
        Share filling = fill(MIB);
        Share first = share("first", MIB);
        assertThat(first.take(MIB)).isTrue();
        assertThat(share("large", LARGEST).take(MIB)).isFalse();
        assertThat(share("small", MIB).take(MIB)).isFalse();

        filling.giveBack(MIB);
        assertThat(notified).containsExactly("small is granted");
        filling.giveBack(10 * MIB);

        assertThat(notified).containsExactly("small is granted", "large is granted");
    }

    @Test
    void aLargeRequestDoesNotWaitForEver() {
        Share filling = fill(MIB);
        Share first = share("first", MIB);
        assertThat(first.take(MIB)).isTrue();
        assertThat(share("large", LARGEST).take(MIB)).isFalse();
        nanos.addAndGet(1);
        assertThat(share("small", MIB).take(MIB)).isFalse();

        first.release();

        assertThat(notified).containsExactly("large is granted");
        assertThat(filling).isNotNull();
    }

    @Test
    void anOverdueRequestIsGivenUpOnlyWhenOthersWait() {
        Share slow = share("slow", LARGEST);
        assertThat(slow.take(MIB)).isTrue();
        slow.expect();
        passSeconds(LARGEST / RequestMemory.SLOWEST_BYTES_PER_SECOND + 2);
        memory.closeOverdue();
        assertThat(notified).isEmpty();

        assertThat(share("filling", MIB).take(MAX - LARGEST - MIB)).isTrue();
        Share quick = share("quick", MIB);
        quick.expect();
        assertThat(share("first", MIB).take(MIB)).isTrue();
        assertThat(quick.take(MIB)).isFalse();
        passSeconds(60);
        memory.closeOverdue();

        assertThat(notified)
                .as("the time that quick waits for memory does not count")
                .containsExactly("slow is given up");
    }

    @Test
    void bytesThatWereReadAreAdmittedAndMakeOthersWait() {
        fill(MIB);
        assertThat(memory.isTight()).isFalse();

        share("read", 100).takeAnyway(100);

        assertThat(memory.isTight()).isTrue();
    }

    @Test
    void theSumStaysBelowTheLimitAndAllRequestsAreServed() {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        List<Transfer> transfers = new ArrayList<>();
        int served = 0;
        for (int i = 0; i < 20_000 || !transfers.isEmpty(); i++) {
            if (i < 20_000 && transfers.size() < 40) {
                transfers.add(new Transfer(random.nextInt(4) == 0 ? LARGEST : 1 + random.nextInt(MIB)));
            }
            Transfer transfer = transfers.get(random.nextInt(transfers.size()));
            if (transfer.isDone()) {
                transfer.share.release();
                transfers.remove(transfer);
                served++;
            } else {
                transfer.step();
            }
            assertThat(memory.usedBytes()).as("seed " + seed).isLessThanOrEqualTo(MAX);
            assertThat(i).as("seed " + seed).isLessThan(2_000_000);
        }
        assertThat(served).isPositive();
        assertThat(memory.usedBytes()).isZero();
        assertThat(memory.isTight()).isFalse();
    }

    /** A request that takes its memory in four steps. */
    private final class Transfer {
        private final int bytes;
        private final Share share;
        private int taken;
        private boolean waits;

        Transfer(int bytes) {
            this.bytes = bytes;
            this.share = memory.share(bytes, () -> waits = false, () -> {});
        }

        boolean isDone() {
            return taken == bytes && !waits;
        }

        void step() {
            if (!waits) {
                int more = Math.min(bytes - taken, bytes / 4 + 1);
                taken += more;
                waits = !share.take(more);
            }
        }
    }

    /** Takes all but the last {@code restBytes} of the shared memory. */
    private Share fill(int restBytes) {
        Share filling = share("filling", MIB);
        int ordinary = MAX - LARGEST;
        int bytes = restBytes == LARGEST ? ordinary / 4 * 3 : ordinary;
        assertThat(filling.take(bytes)).isTrue();
        return filling;
    }

    private void passSeconds(int seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }
}
