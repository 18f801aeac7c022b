package io.rivulet.engine;

import io.rivulet.engine.Violation.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicPartition;

/**
 * Commits rising offsets, and asks each broker directly for them and for the ends of partitions, all the time. What was
 * acknowledged or answered before a question is known to every answer, whoever gives it.
 *
 * <p>Owned by: one thread.
 */
final class TruthWatch implements AutoCloseable {
    private static final long COMMIT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long ASK_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

    private static final int MOST_VIOLATIONS = 10;

    /** A group whose commits are all known. When one is not, the next group begins: it may still be made later. */
    private record Group(String name, AtomicLong atLeast) {}

    private final Machine writer;
    private final Machine watcher;
    private final List<ClusterBroker> brokers;
    private final List<NumberedHistory> histories;
    private final TopicPartition partition;
    private final List<Thread> threads = new ArrayList<>();
    private final ConcurrentLinkedQueue<Violation> violations = new ConcurrentLinkedQueue<>();
    private final AtomicLong commits = new AtomicLong();
    private final List<AtomicLong> answers;
    private volatile Group group = new Group("offsets-0", new AtomicLong(-1));
    private volatile boolean stopped;

    private TruthWatch(CutNetwork network, List<ClusterBroker> brokers, List<NumberedHistory> histories) {
        this.writer = network.here();
        this.watcher = network.watcher();
        this.brokers = brokers;
        this.histories = histories;
        this.partition = histories.get(0).partition();
        this.answers = brokers.stream().map(broker -> new AtomicLong()).toList();
    }

    static TruthWatch start(CutNetwork network, List<ClusterBroker> brokers, List<NumberedHistory> histories) {
        TruthWatch watch = new TruthWatch(network, brokers, histories);
        watch.threads.add(new Thread(watch::commit, "commits"));
        for (int i = 0; i < brokers.size(); i++) {
            int broker = i;
            watch.threads.add(new Thread(() -> watch.ask(broker), "questions-" + broker));
        }
        watch.threads.forEach(Thread::start);
        return watch;
    }

    private void commit() {
        for (int attempt = 1; !stopped; attempt++) {
            ClusterBroker broker = brokers.get(attempt % brokers.size());
            try (DirectQuestions connection = new DirectQuestions(writer, broker)) {
                for (long offset = 0; !stopped; offset++) {
                    connection.commit(group.name, partition, offset);
                    group.atLeast.accumulateAndGet(offset, Math::max);
                    commits.incrementAndGet();
                    LockSupport.parkNanos(COMMIT_PAUSE_NANOS);
                }
            } catch (IOException e) {
                LockSupport.parkNanos(COMMIT_PAUSE_NANOS); // it may have refused the connection
            }
            group = new Group("offsets-" + attempt, new AtomicLong(-1));
        }
    }

    private void ask(int number) {
        ClusterBroker broker = brokers.get(number);
        while (!stopped) {
            try (DirectQuestions connection = new DirectQuestions(watcher, broker)) {
                while (!stopped) {
                    askForOffset(connection, number);
                    askForEnds(connection, number);
                    LockSupport.parkNanos(ASK_PAUSE_NANOS);
                }
            } catch (IOException e) {
                LockSupport.parkNanos(ASK_PAUSE_NANOS);
            }
        }
    }

    private void askForOffset(DirectQuestions connection, int broker) throws IOException {
        Group asked = group;
        long atLeast = asked.atLeast.get();
        long offset = connection.committed(asked.name, partition);
        answered(broker, asked.name, offset, atLeast);
        asked.atLeast.accumulateAndGet(offset, Math::max);
    }

    private void askForEnds(DirectQuestions connection, int broker) throws IOException {
        for (NumberedHistory history : histories) {
            long atLeast = history.endAtLeast();
            answered(broker, history.partition() + " ends at", connection.end(history.partition()), atLeast);
        }
    }

    private void answered(int broker, String what, long answer, long atLeast) {
        answers.get(broker).incrementAndGet();
        if (answer < atLeast && violations.size() < MOST_VIOLATIONS) {
            violations.add(new Violation(
                    Kind.STALE, "broker " + (broker + 1) + ": " + what + " " + answer + ", not " + atLeast));
        }
    }

    /** Since the last call. */
    List<Violation> violations() {
        List<Violation> found = new ArrayList<>();
        for (Violation next = violations.poll(); next != null; next = violations.poll()) {
            found.add(next);
        }
        return found;
    }

    String figures() {
        return commits + " commits, " + answers + " answers of each broker";
    }

    @Override
    public void close() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
