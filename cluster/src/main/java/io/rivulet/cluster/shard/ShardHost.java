package io.rivulet.cluster.shard;

import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.Registry.Event;
import io.rivulet.cluster.registry.Registry.Versioned;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.store.failure.LogLimit;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker's part in one shard: follows it, takes it over when nobody alive owns it, and gives it back. Nothing that
 * happens to the shard ends the process.
 *
 * <p><b>A crash</b> at any point leaves a node whose owner is no member any more, or a released one. Either can be
 * claimed.
 *
 * <p>A step waits for the registry only: opening and closing run elsewhere, and may hang or fail in any way.
 *
 * <p>Owned by: the thread that calls {@link #step}. Any thread may call {@link #isServing} and {@link #release}.
 */
public final class ShardHost {
    private static final Logger LOG = LoggerFactory.getLogger(ShardHost.class);

    private final Registry registry;
    private final int shard;
    private final Member self;
    private final ShardOpener opener;
    private final Executor executor;
    private final ShardTimes times;
    private final LongSupplier clockNanos;
    private final LogLimit warnings = LogLimit.aMinute(1);
    private final LogLimit failures = LogLimit.aMinute(2);
    private final AtomicLong expiries = new AtomicLong();
    private volatile boolean isLeaving;

    /** How many expiries there were before this client joined; -1 before the first time. */
    private long joinedAfter = -1;
    /** The epoch of the node that nobody alive owns, and since when; -1 for none. */
    private long vacantEpoch = -1;

    private long vacantSinceNanos;
    private long retryAtNanos;

    // Of the last claim.
    private ShardNode node = ShardNode.NEW;
    private int version;
    /** From then on no earlier owner answers from state. */
    private long quietAtNanos;

    /** Also after its end, while something of it runs. */
    private @Nullable ClaimedShard mine;

    private Lease lease;
    private volatile boolean isServing;
    private long servingSinceNanos;

    /** @param executor has a thread for each task: an opening or a closing */
    public ShardHost(
            Registry registry,
            int shard,
            Member self,
            ShardOpener opener,
            Executor executor,
            ShardTimes times,
            LongSupplier clockNanos) {
        this.registry = registry;
        this.shard = shard;
        this.self = self;
        this.opener = opener;
        this.executor = executor;
        this.times = times;
        this.clockNanos = clockNanos;
        this.retryAtNanos = clockNanos.getAsLong();
        this.lease = new Lease(clockNanos);
        registry.listen(event -> {
            if (event == Event.EXPIRED) {
                expiries.incrementAndGet();
            }
        });
    }

    public boolean isServing() {
        return isServing;
    }

    /** Gives the shard to others with the next step, and never claims it again. */
    public void release() {
        isLeaving = true;
    }

    /** Whether it was {@link #release released}, and nothing names it as the owner. */
    public boolean hasLeft() {
        return isLeaving && !isHeld() && !isClosing() && node.owner() == null;
    }

    /** Of the last claim, or 0; never above that of the shard. For the thread that calls {@link #step}. */
    public long epoch() {
        return node.epoch();
    }

    /**
     * Does what there is to do now.
     *
     * @return when to call it again, in nanoseconds; earlier if the registry has an event, the shard fails, or a task
     *     of the executor has ended
     */
    public long step() {
        try {
            return stepOrFail();
        } catch (RuntimeException | Error e) {
            // Without steps, a broker that lives would keep the others from what it owns.
            LOG.error("shard {}: a step has failed", shard, e);
            return times.stepNanos();
        }
    }

    /** For tests, which want to know of failures that {@link #step} survives. */
    long stepOrFail() {
        try {
            return next();
        } catch (IOException e) {
            LOG.debug("shard {}: the registry does not answer", shard, e);
            warnings.log(more -> LOG.warn("shard {}: the registry does not answer: {}{}", shard, e.getMessage(), more));
            return times.stepNanos();
        } finally {
            ClaimedShard held = mine;
            if (held != null) {
                held.beginClosing();
            }
        }
    }

    private long next() throws IOException {
        ClaimedShard held = mine;
        if (held != null && isHeld() && (isLeaving || held.hasFailed() || held.isStuck(times.stuckNanos()))) {
            logEnd(isLeaving ? "this broker stops" : "its log takes no appends any more");
            if (held.isStuck(times.stuckNanos())) {
                failures.log(more -> LOG.warn(
                        "shard {}: the opening of epoch {} makes no progress, and is given up{}",
                        shard,
                        node.epoch(),
                        more));
            }
            end(held);
            // Another broker may have what this one lacks.
            retryAtNanos = clockNanos.getAsLong() + times.retryNanos();
            if (!isLeaving) {
                giveBack(registry.load(shard)); // at once: the end may hang
            }
            return 0;
        }
        if (held != null && held.isOver() && held.isClosed()) {
            mine = null;
        }
        boolean isMember = isLeaving || isMember() || join();
        if (held != null && isHeld()) {
            return own(held);
        }
        if (!isMember) {
            warnings.log(more -> LOG.warn(
                    "node.id {} belongs to another broker{}", self.who().brokerId(), more));
            return times.retryNanos();
        }
        return follow();
    }

    private boolean isHeld() {
        return mine != null && !mine.isOver();
    }

    /** Whether what was open is being closed, and is not stuck. For the thread that calls {@link #step}. */
    public boolean isClosing() {
        return mine != null && mine.isClosing() && !mine.isStuck(times.stuckNanos());
    }

    private boolean isMember() {
        return joinedAfter == expiries.get();
    }

    private boolean join() throws IOException {
        long before = expiries.get();
        boolean joined = registry.join(self);
        joinedAfter = joined ? before : -1;
        return joined;
    }

    // ---- without the shard ----

    private long follow() throws IOException {
        // In this order: whoever owned the node was a member before.
        Versioned found = registry.load(shard);
        ShardNode now = found == null ? ShardNode.NEW : found.node();
        boolean canOpen = !isLeaving && mine == null && clockNanos.getAsLong() - retryAtNanos >= 0;
        if (isLeaving || (now.isOwnedBy(self.who()) && !canOpen)) {
            if (!isLeaving || !isClosing()) {
                giveBack(found);
            }
            return times.stepNanos();
        }
        List<Member> members = registry.members();
        if (members.stream().noneMatch(member -> member.who().equals(self.who()))) {
            joinedAfter = -1; // somebody has deleted it: the next step joins again
            return times.stepNanos();
        }
        boolean isOwned = members.stream().anyMatch(member -> now.isOwnedBy(member.who()));
        if (isOwned && !now.isOwnedBy(self.who())) {
            vacantEpoch = -1;
            return times.stepNanos();
        }
        long nanos = clockNanos.getAsLong();
        if (vacantEpoch != now.epoch()) {
            vacantEpoch = now.epoch();
            vacantSinceNanos = nanos;
        }
        long turnAtNanos = vacantSinceNanos + placeIn(members) * times.turnNanos();
        long waitNanos = Math.max(turnAtNanos - nanos, retryAtNanos - nanos);
        if (mine != null) {
            return times.stepNanos(); // what it had is not closed yet
        }
        return waitNanos > 0 ? waitNanos : claim(found, now);
    }

    /** The broker with the lowest id is the first candidate. */
    private long placeIn(List<Member> members) {
        return members.stream()
                .filter(member -> member.who().brokerId() < self.who().brokerId())
                .count();
    }

    private long claim(@Nullable Versioned state, ShardNode found) throws IOException {
        ShardNode claimed = found.claimedBy(self.who()).since(System.currentTimeMillis());
        int swapped = registry.swap(shard, state, claimed);
        if (swapped == Registry.NO_VERSION) {
            return times.stepNanos();
        }
        long claimedNanos = clockNanos.getAsLong();
        node = claimed;
        version = swapped;
        quietAtNanos = found.mustWait() ? claimedNanos + times.waitNanos() : claimedNanos;
        lease = new Lease(clockNanos);
        LOG.info("shard {}: epoch {}, the owner before: {}", shard, claimed.epoch(), found.owner());
        mine = new ClaimedShard(opener, claimed, lease, executor, clockNanos, failures, vacantSinceNanos);
        mine.start();
        return 0;
    }

    // ---- with the shard ----

    private long own(ClaimedShard held) throws IOException {
        long askedNanos = clockNanos.getAsLong();
        if (!registry.confirm(shard, new Versioned(version, node))) {
            return look(held);
        }
        lease.extend(askedNanos + times.leaseNanos());
        if (isServing || !held.isOpen()) {
            return times.stepNanos();
        }
        if (isQuiet()) {
            lease.begin();
            servingSinceNanos = clockNanos.getAsLong();
            isServing = held.serve();
            return isServing ? times.stepNanos() : 0;
        }
        return Math.min(times.stepNanos(), quietAtNanos - clockNanos.getAsLong());
    }

    private boolean isQuiet() {
        return clockNanos.getAsLong() - quietAtNanos >= 0;
    }

    /** The log of this owner has replaced the node, another broker has, or an operator has deleted it. */
    private long look(ClaimedShard held) throws IOException {
        Versioned found = registry.load(shard);
        boolean isNewer = found != null && found.version() > version;
        if (!isNewer && !registry.confirm(shard, found)) {
            return times.stepNanos(); // an old state
        }
        if (found == null || !isNewer) {
            logEnd("its node was deleted");
            end(held);
            return 0;
        }
        if (found.node().epoch() != node.epoch() || !found.node().isOwnedBy(self.who())) {
            logEnd("epoch " + found.node().epoch() + " is of " + found.node().owner());
            end(held);
            return 0;
        }
        version = found.version();
        node = found.node();
        return 0;
    }

    /** What was not served has a line of its failure. */
    private void logEnd(String why) {
        if (isServing) {
            LOG.info(
                    "shard {}: this broker has served epoch {} for {} ms, and gives it up: {}",
                    shard,
                    node.epoch(),
                    TimeUnit.NANOSECONDS.toMillis(clockNanos.getAsLong() - servingSinceNanos),
                    why);
        }
    }

    private void end(ClaimedShard held) {
        lease.end();
        isServing = false;
        held.end();
    }

    /** Says that this broker owns nothing, if the node says that it does. Also repeats this if the answer was lost. */
    private void giveBack(@Nullable Versioned found) throws IOException {
        if (found == null || !found.node().isOwnedBy(self.who())) {
            node = ShardNode.NEW;
            return;
        }
        // Whether no owner answers from state any more, neither this one nor those before.
        boolean isQuiet = found.node().epoch() == node.epoch() && isQuiet();
        ShardNode released = found.node().released(!isQuiet).since(System.currentTimeMillis());
        if (registry.swap(shard, found, released) != Registry.NO_VERSION) {
            node = released;
        }
    }
}
