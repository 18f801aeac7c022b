package io.rivulet.store.thread;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.failure.FailureLatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** A signal is cheap while one is pending, and never lost. */
class WorkerThreadTest {
    private static final int SIGNALLERS = 3;
    private static final int ROUNDS = 100_000;

    private static WorkerThread worker(Runnable work) {
        return new WorkerThread("test", work, new FailureLatch());
    }

    @Test
    void anExceptionIsAFailureAndTheThreadContinues() throws InterruptedException {
        FailureLatch failures = new FailureLatch();
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch ranTwice = new CountDownLatch(1);
        StackOverflowError thrown = new StackOverflowError("of a test");
        WorkerThread worker = new WorkerThread(
                "test",
                () -> {
                    if (runs.incrementAndGet() == 1) {
                        throw thrown;
                    }
                    ranTwice.countDown();
                },
                failures);
        failures.onFailure(worker::signal);

        worker.signal();

        ranTwice.await();
        worker.close();
        assertThat(failures.cause()).isSameAs(thrown);
        assertThat(failures.failedThread()).isEqualTo("test");
    }

    @Test
    void signalsThatComeDuringTheWorkMakeItRunOnceMore() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch atWork = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        WorkerThread worker = worker(() -> {
            if (runs.incrementAndGet() == 1) {
                atWork.countDown();
                await(goOn);
            }
        });
        worker.signal();
        atWork.await();
        for (int i = 0; i < 1000; i++) {
            worker.signal();
        }
        goOn.countDown();
        worker.close();

        assertThat(runs).hasValue(2);
    }

    /** A plain release before the signal publishes to a later run. */
    @Test
    void noSignalIsLost() throws InterruptedException {
        AtomicIntegerArray published = new AtomicIntegerArray(SIGNALLERS * 16);
        AtomicIntegerArray seen = new AtomicIntegerArray(SIGNALLERS * 16);
        WorkerThread worker = worker(() -> {
            for (int i = 0; i < SIGNALLERS; i++) {
                seen.setRelease(i * 16, published.getAcquire(i * 16));
            }
        });
        List<Thread> signallers = new ArrayList<>();
        for (int i = 0; i < SIGNALLERS; i++) {
            int at = i * 16;
            Thread signaller = new Thread(() -> {
                for (int round = 1; round <= ROUNDS; round++) {
                    published.setRelease(at, round);
                    worker.signal();
                    if (round % 1000 == 0) {
                        while (seen.getAcquire(at) != round) {
                            Thread.onSpinWait();
                        }
                    }
                }
            });
            signaller.start();
            signallers.add(signaller);
        }
        for (Thread signaller : signallers) {
            signaller.join();
        }
        worker.close();

        for (int i = 0; i < SIGNALLERS; i++) {
            assertThat(seen.get(i * 16)).isEqualTo(ROUNDS);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
