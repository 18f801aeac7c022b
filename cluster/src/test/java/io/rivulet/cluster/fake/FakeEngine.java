package io.rivulet.cluster.fake;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.engine.FencedException;
import io.rivulet.store.io.ShortageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What all clients of an engine share: bookies, the state of each ledger, records, and messages on their way. Copies of
 * an entry arrive at a bookie in order, those at different bookies in any order; answers come back in any order.
 *
 * <p>Guarded by {@code this}. The order follows from the seed.
 */
public final class FakeEngine {
    /** Mistakes of an engine, for tests that must find them. */
    public enum Bug {
        NONE,
        /** A ledger that is recovered is not fenced. */
        NO_FENCE,
        /** An entry is acknowledged when one bookie has it. */
        ONE_COPY,
        /** The memory of an entry is released when it is acknowledged, while copies are on their way from there. */
        EARLY_RELEASE,
        /** Entries that are on their way when their writer makes another ledger are acknowledged and lost. */
        LOST_AT_ROLL,
        /** A record is replaced, whatever its state is. */
        NO_COMPARE,
        /** A question that is lost is taken for answered. */
        LOST_QUESTION,
        /** A ledger is made under another id than the one that was reserved for it. */
        OTHER_ID,
        /** A ledger stays that is deleted. */
        NOT_DELETED
    }

    /** The state of a ledger that all clients see. */
    static final class State {
        final long id;
        final FakeClient writer;
        boolean closed;
        long entryCount;
        long lengthBytes;

        State(long id, FakeClient writer) {
            this.id = id;
            this.writer = writer;
        }

        State copy() {
            State copy = new State(id, writer);
            copy.closed = closed;
            copy.entryCount = entryCount;
            copy.lengthBytes = lengthBytes;
            return copy;
        }
    }

    /** A copy on its way to a bookie. */
    private static final class Copy {
        private final FakeLedger.Entry entry;
        private int bookie;

        Copy(FakeLedger.Entry entry, int bookie) {
            this.entry = entry;
            this.bookie = bookie;
        }
    }

    private static final int WRITE_QUORUM = 3;
    private static final int ACK_QUORUM = 2;
    private static final int BOOKIES = 4;
    /** A copy that is late is chosen so many times before it arrives. */
    private static final int LATE = 10;

    private final SplittableRandom random;
    final Bug bug;
    private final List<FakeBookie> bookies = new ArrayList<>();
    private final Map<Long, State> ledgers = new HashMap<>();
    private final Map<String, Engine.Versioned> records = new HashMap<>();
    private final List<Copy> copies = new ArrayList<>();
    private final List<FakeLedger.Entry> answers = new ArrayList<>();
    private long nextLedger = 100;
    /** The only bookie where copies are not late; negative if they are late nowhere. */
    private int prompt = -1;

    private boolean eager;
    private boolean full;
    private boolean cutOff;
    private Runnable duringCall = () -> {};
    private long delivered;
    private int lostOneIn;
    private int answersLost;

    public FakeEngine(long seed, Bug bug) {
        this.random = new SplittableRandom(seed);
        this.bug = bug;
        for (int i = 0; i < BOOKIES; i++) {
            bookies.add(new FakeBookie());
        }
    }

    /** Every message arrives at once. */
    public static FakeEngine eager() {
        FakeEngine engine = new FakeEngine(1, Bug.NONE);
        engine.eager = true;
        return engine;
    }

    /** As it is now, with all messages on their way, and without a client that lives. */
    public synchronized FakeEngine fork(long seed) {
        FakeEngine fork = new FakeEngine(seed, bug);
        fork.bookies.clear();
        bookies.forEach(bookie -> fork.bookies.add(bookie.copy()));
        ledgers.values().forEach(state -> fork.ledgers.put(state.id, state.copy()));
        fork.records.putAll(records);
        fork.nextLedger = nextLedger;
        fork.answersLost = answersLost;
        FakeClient dead = fork.client();
        dead.die();
        for (Copy copy : copies) {
            FakeLedger ledger = copy.entry.ledger();
            State state =
                    fork.ledgers.getOrDefault(ledger.state().id, ledger.state().copy());
            fork.copies.add(new Copy(copy.entry.of(new FakeLedger(fork, dead, state, true)), copy.bookie));
        }
        return fork;
    }

    /** Another process that uses the engine. */
    public FakeClient client() {
        return new FakeClient(this);
    }

    /** What happens elsewhere while a client waits for an answer to a call. */
    public void duringCalls(Runnable action) {
        duringCall = action;
    }

    /** One in so many answers to a call that changes something is lost; 0 for none. */
    public synchronized void loseAnswers(int oneIn) {
        lostOneIn = oneIn;
    }

    public synchronized int answersLost() {
        return answersLost;
    }

    private void loseAnswer() throws IOException {
        if (lostOneIn > 0 && random.nextInt(lostOneIn) == 0) {
            answersLost++;
            throw new IOException("the answer is lost");
        }
    }

    /** How many messages have arrived. */
    public synchronized long delivered() {
        return delivered;
    }

    void duringCall(Runnable inTheClient) {
        duringCall.run();
        inTheClient.run();
    }

    /** No bookie takes new ledgers. */
    public synchronized void full(boolean isFull) {
        full = isFull;
    }

    /** Nobody can create, open or delete ledgers, or ask for records. Appends and reads go on. */
    public synchronized void cutOff(boolean isCutOff) {
        cutOff = isCutOff;
    }

    private void requireAnswers() throws IOException {
        if (cutOff) {
            throw new IOException("nobody answers");
        }
    }

    /** At most one is down at a time: two copies survive that. */
    public synchronized void takeDown(int bookie) {
        for (FakeBookie each : bookies) {
            each.up = true;
        }
        bookies.get(bookie).up = false;
    }

    /** Copies are late at all bookies but this one; at none if it is negative. */
    public synchronized void lateAtAllBut(int bookie) {
        prompt = bookie;
    }

    public synchronized void allUp() {
        bookies.forEach(bookie -> bookie.up = true);
    }

    public int bookieCount() {
        return BOOKIES;
    }

    public synchronized int ledgerCount() {
        return ledgers.size();
    }

    /** The ledgers that there are, without those that these clients have made. */
    public synchronized Set<Long> ledgersExceptOf(Set<FakeClient> writers) {
        return ledgers.values().stream()
                .filter(state -> !writers.contains(state.writer))
                .map(state -> state.id)
                .collect(Collectors.toSet());
    }

    /** Delivers one message, unless it is late; false if none is on its way. */
    public synchronized boolean deliverOne() {
        int messages = copies.size() + answers.size();
        if (messages == 0) {
            return false;
        }
        int chosen = random.nextInt(messages);
        if (chosen < copies.size()) {
            Copy copy = copies.get(chosen);
            if (isLate(copy)) {
                return true;
            }
            arrive(firstFor(copy));
        } else {
            FakeLedger.Entry entry = answers.remove(chosen - copies.size());
            entry.ledger().copyAnswered(entry, bug == Bug.ONE_COPY ? 1 : ACK_QUORUM);
        }
        delivered++;
        return true;
    }

    private boolean isLate(Copy copy) {
        return prompt >= 0 && prompt != copy.bookie && random.nextInt(LATE) > 0;
    }

    /** The oldest copy of the same ledger to the same bookie. */
    private Copy firstFor(Copy copy) {
        for (Copy each : copies) {
            if (each.bookie == copy.bookie && each.entry.ledger() == copy.entry.ledger()) {
                return each;
            }
        }
        return copy;
    }

    private void arrive(Copy copy) {
        FakeLedger.Entry entry = copy.entry;
        State state = entry.ledger().state();
        FakeBookie bookie = bookies.get(copy.bookie);
        if (!bookie.up) {
            replaceBookie(copy, state);
            return;
        }
        copies.remove(copy);
        if (bookie.isFenced(state.id)) {
            entry.ledger().fail(new FencedException(state.id));
        } else if (ledgers.containsKey(state.id)) {
            bookie.store(state.id, entry.entryId(), entry.bytes());
            answers.add(entry);
        }
        entry.copySent();
    }

    /** The client sends the copy to another bookie, unless another client has closed the ledger. */
    private void replaceBookie(Copy copy, State state) {
        for (int spare = 0; spare < BOOKIES; spare++) {
            int candidate = spare;
            boolean used = copies.stream().anyMatch(c -> c.entry == copy.entry && c.bookie == candidate)
                    || bookies.get(spare).entry(state.id, copy.entry.entryId()) != null;
            if (bookies.get(spare).up && !used && !state.closed) {
                copy.bookie = spare;
                return;
            }
        }
        copies.remove(copy);
        if (state.closed) {
            copy.entry.ledger().fail(new IOException("ledger " + state.id + " is closed"));
        }
        copy.entry.copySent();
    }

    // ---- calls of clients ----

    synchronized void send(FakeLedger.Entry entry) {
        int first = (int) (entry.ledger().state().id % BOOKIES);
        for (int i = 0; i < WRITE_QUORUM; i++) {
            copies.add(new Copy(entry, (first + i) % BOOKIES));
        }
        while (eager && deliverOne()) {
            // All of it arrives.
        }
    }

    synchronized long reserve() throws IOException {
        requireAnswers();
        long id = nextLedger++;
        loseAnswer();
        return id;
    }

    synchronized FakeLedger create(FakeClient client, long id) throws IOException {
        requireAnswers();
        if (full) {
            throw new ShortageException(ShortageException.Kind.SPACE, "no bookie takes new ledgers");
        }
        if (bug == Bug.LOST_AT_ROLL) {
            copies.removeIf(copy -> copy.entry.ledger().client() == client);
            client.acknowledgeAll();
        }
        State state = new State(bug == Bug.OTHER_ID ? nextLedger++ : id, client);
        ledgers.put(state.id, state);
        loseAnswer();
        return client.writes(new FakeLedger(this, client, state, true));
    }

    synchronized FakeLedger recover(FakeClient client, long id) throws IOException {
        requireAnswers();
        State state = ledgers.get(id);
        if (state == null) {
            throw new IOException("no ledger " + id);
        }
        if (!state.closed) {
            for (FakeBookie bookie : bookies) {
                if (bookie.up && bug != Bug.NO_FENCE) {
                    bookie.fence(id);
                }
            }
            state.closed = true;
            closeAtTheEnd(state);
        }
        return new FakeLedger(this, client, state, false);
    }

    /** What one bookie has, others get as well. */
    private void closeAtTheEnd(State state) {
        state.entryCount = 0;
        state.lengthBytes = 0;
        for (ByteBuffer found = find(state.id, 0); found != null; found = find(state.id, state.entryCount)) {
            for (FakeBookie bookie : bookies) {
                if (bookie.up) {
                    bookie.store(state.id, state.entryCount, found);
                }
            }
            state.entryCount++;
            state.lengthBytes += found.remaining();
        }
    }

    /** Any of its copies. */
    private @Nullable ByteBuffer find(long ledger, long entryId) {
        int first = random.nextInt(BOOKIES);
        for (int i = 0; i < BOOKIES; i++) {
            FakeBookie bookie = bookies.get((first + i) % BOOKIES);
            ByteBuffer found = bookie.up ? bookie.entry(ledger, entryId) : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    synchronized ByteBuffer read(long ledger, long entryId) throws IOException {
        ByteBuffer found = find(ledger, entryId);
        if (found == null) {
            throw new IOException("no bookie has entry " + entryId + " of ledger " + ledger);
        }
        return found.duplicate();
    }

    synchronized void closeLedger(State state, long entryCount, long lengthBytes) throws IOException {
        requireAnswers();
        if (state.closed) {
            throw new IOException("ledger " + state.id + " was closed by another client");
        }
        state.closed = true;
        state.entryCount = entryCount;
        state.lengthBytes = lengthBytes;
    }

    synchronized void delete(long id) throws IOException {
        requireAnswers();
        if (bug != Bug.NOT_DELETED) {
            ledgers.remove(id);
            bookies.forEach(bookie -> bookie.delete(id));
        }
    }

    /** As an operator does. */
    public synchronized void deleteRecord(String name) {
        records.remove(name);
    }

    synchronized Engine.@Nullable Versioned load(String name) throws IOException {
        requireAnswers();
        Engine.Versioned stored = records.get(name);
        return stored == null
                ? null
                : new Engine.Versioned(stored.version(), stored.bytes().duplicate());
    }

    synchronized int swap(String name, Engine.@Nullable Versioned state, ByteBuffer bytes) throws IOException {
        requireAnswers();
        Engine.Versioned stored = records.get(name);
        if (!Objects.equals(stored, state) && bug != Bug.NO_COMPARE) {
            return Engine.NO_VERSION;
        }
        int found = stored == null ? Engine.NO_VERSION : stored.version();
        if (isQuestionLost()) {
            return found + 1;
        }
        records.put(name, new Engine.Versioned(found + 1, bytes.duplicate()));
        loseAnswer();
        return found + 1;
    }

    /** True if nobody notices. */
    private boolean isQuestionLost() throws IOException {
        int before = answersLost;
        try {
            if (random.nextBoolean()) {
                loseAnswer();
            }
        } catch (IOException e) {
            if (bug != Bug.LOST_QUESTION) {
                throw e;
            }
        }
        return answersLost > before;
    }

    /** Delivers messages until the condition holds. */
    void deliverUntil(BooleanSupplier done, BooleanSupplier otherWork) throws IOException {
        while (!done.getAsBoolean()) {
            boolean any = deliverOne();
            any |= otherWork.getAsBoolean();
            if (!any && !done.getAsBoolean()) {
                throw new IOException("no answer comes");
            }
        }
    }
}
