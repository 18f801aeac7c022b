package io.rivulet.broker.acl;

import io.rivulet.broker.config.AccessSettings;
import io.rivulet.broker.config.HeapShare;
import io.rivulet.broker.coordinator.SnapshotEntries;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.limit.Admission;
import io.rivulet.store.Store;
import io.rivulet.store.View;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The rules of access: a view of the log, made from entries in {@link RuleEntryLayout}. They stay in the log when the
 * broker starts without an authorizer, and then have no effect.
 *
 * <p>The log writer changes them. Any thread reads them and sees a change as soon as its entry is durable.
 */
public final class Rules implements View {
    public static final int VIEW_ID = 8;

    private final boolean countsNames;
    private final Admission room;
    private volatile RuleSet now;

    public Rules(AccessSettings settings) {
        this(settings.isOn() && settings.allowsWithoutRule(), HeapShare.ACCESS_RULES.bytes());
    }

    /**
     * @param countsNames whether {@link RuleSet#hasRuleFor} is needed
     * @param maxBytes the heap that rules may take
     */
    Rules(boolean countsNames, long maxBytes) {
        this.countsNames = countsNames;
        this.now = RuleSet.empty(countsNames);
        this.room = new Admission(maxBytes, () -> now.bytes());
    }

    // ---- any thread ----

    RuleSet now() {
        return now;
    }

    public int size() {
        return now.size();
    }

    /** A list of the rules as they are now, which does not change. */
    public RuleList list() {
        return new RuleList(now);
    }

    /**
     * The rules for one call of {@link #add} or {@link #remove} each, in order. A call has a limit, so that the log
     * writer is not held up.
     */
    public static List<List<Rule>> parts(List<Rule> rules) {
        return RuleEntryLayout.parts(rules);
    }

    /**
     * Completes when the rules are durable and in effect. Those that exist are not added again.
     *
     * @throws RefusedException if there is no room for them
     */
    public CompletionStage<Integer> add(Store store, List<Rule> rules) {
        long bytes = 0;
        for (Rule rule : rules) {
            bytes += RuleSet.mostBytes(rule);
        }
        long reserved = bytes;
        if (!room.reserve(reserved)) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION,
                    "rules of access may take " + room.limit() + " bytes of the heap, and take " + now.bytes()
                            + "; delete some, or start the broker with a larger heap");
        }
        return store.appendState(VIEW_ID, RuleEntryLayout.entry(true, rules))
                .whenComplete((written, failure) -> room.release(reserved));
    }

    /** Completes when the removal is durable and in effect. */
    public CompletionStage<Integer> remove(Store store, List<Rule> rules) {
        return store.appendState(VIEW_ID, RuleEntryLayout.entry(false, rules));
    }

    // ---- log-writer thread ----

    @Override
    public int id() {
        return VIEW_ID;
    }

    @Override
    public void apply(long groupTimestamp, ByteBuffer entry) {
        RuleEntryLayout.Change change = RuleEntryLayout.take(entry);
        RuleSet changed = now;
        for (Rule rule : change.rules()) {
            changed = change.isAddition() ? changed.with(rule) : changed.without(rule);
        }
        now = changed;
    }

    @Override
    public Snapshot snapshot() {
        RuleList rules = list();
        return out -> {
            for (List<Rule> part : parts(rules.matching(RuleFilter.ALL, Integer.MAX_VALUE))) {
                SnapshotEntries.write(List.of(RuleEntryLayout.entry(true, part)), out);
            }
            SnapshotEntries.writeEnd(out);
        };
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        now = RuleSet.empty(countsNames);
        DataInputStream entries = SnapshotEntries.reader(in);
        SnapshotEntries.read(entries, entry -> apply(0, entry));
    }
}
