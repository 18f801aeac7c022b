package io.rivulet.engine;

import io.rivulet.cluster.bookkeeper.ClusterAddress;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.cluster.zookeeper.ZooKeeperRegistry;
import io.rivulet.engine.CutNetwork.Way;
import io.rivulet.engine.Violation.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rounds of cuts in the network of brokers that own a log by turns, under load. In each round a machine is cut off from
 * some others, in both directions or in one; then the brokers must do what docs/CLUSTER.md says; then all is mended,
 * and the brokers must agree.
 *
 * <p>Owned by: one thread.
 */
final class PartitionRounds implements AutoCloseable {
    /** Which broker owns the log while the network is cut. */
    private enum Owner {
        SAME,
        ANOTHER,
        ANY
    }

    enum Cut {
        OWNER_FROM_REGISTRY(Owner.ANOTHER),
        /** The owner learns nothing of the next one, not even by a failed append. */
        OWNER_FROM_REGISTRY_AND_WRITERS(Owner.ANOTHER),
        OWNER_FROM_BOOKIES(Owner.ANOTHER),
        OWNER_FROM_ALL(Owner.ANOTHER),
        /** Nothing is acknowledged meanwhile: clients are told that the owner is there, and can't reach it. */
        OWNER_FROM_CLIENTS(Owner.SAME),
        OWNER_FROM_FOLLOWERS(Owner.SAME),
        OWNER_FROM_A_BOOKIE(Owner.SAME),
        A_FOLLOWER_FROM_ALL(Owner.SAME),
        /** From the registry, the bookies, or all; again and again, for some seconds. */
        OWNER_FLAPS(Owner.ANY),
        /** Of three. The others are a majority; it may be that the owner was connected to this one. */
        A_KEEPER_FROM_KEEPERS(Owner.ANY),
        /** Nobody is a majority. */
        KEEPERS_FROM_EACH_OTHER(Owner.ANY);

        static List<Cut> of(int keepers) {
            List<Cut> cuts = new ArrayList<>(List.of(values()));
            if (keepers == 1) {
                cuts.removeAll(List.of(A_KEEPER_FROM_KEEPERS, KEEPERS_FROM_EACH_OTHER));
            }
            return cuts;
        }

        private final Owner expected;

        Cut(Owner expected) {
            this.expected = expected;
        }
    }

    enum Direction {
        BOTH,
        TO,
        FROM
    }

    static final int BROKERS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(PartitionRounds.class);
    private static final int PARTITIONS = 3;
    private static final int SHARD = 0;
    private static final int PORT = 9092;
    private static final int CHECK_ALL_ONE_IN = 10;
    private static final int MOST_PROGRESS = 300;
    private static final int MOST_FLAPS = 6;
    /** Half of what it is by default, so that a round takes half of the time. */
    private static final int SESSION_MILLIS = 3_000;

    private static final int LONGEST_CUT_MILLIS = 8_000;
    private static final int LONGEST_MENDED_MILLIS = 2_000;
    /** Longer than the session, and the turns of the candidates. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(6);

    private static final String EXPIRED = "The session of ZooKeeper has expired";
    private static final int LAST_CHARACTERS = 3_000;
    private static final int ASK_MILLIS = 5_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** A broker without an owner holds a connection for 15 s, and a lost one is not reported at all. */
    private static final Map<String, Object> IMPATIENT = Map.of(
            "request.timeout.ms", 2_000,
            "socket.connection.setup.timeout.ms", 1_000,
            "socket.connection.setup.timeout.max.ms", 1_000);

    private final CutNetwork network;
    private final List<Machine> keepers;
    private final List<Machine> bookies;
    private final List<Machine> machines;
    private final List<ClusterBroker> brokers = new ArrayList<>();
    private final Random random;
    private final Registry registry;
    private final List<Cut> deck = new ArrayList<>();
    private final Map<Cut, Integer> cuts = new EnumMap<>(Cut.class);
    /** Milliseconds from the cut until each partition had an acknowledgement of another owner. */
    private final List<Long> takeovers = new ArrayList<>();
    /** Milliseconds from the mending until all brokers named the same owner. */
    private final List<Long> agreements = new ArrayList<>();

    private final List<Violation> violations = new ArrayList<>();
    private final List<NumberedHistory> histories = IntStream.range(0, PARTITIONS)
            .mapToObj(number -> new NumberedHistory(new TopicPartition("numbers", number)))
            .toList();
    private final NumberedLoad load;
    private final TruthWatch watch;
    private int rounds;

    /** @param bug one of BuggyShards; empty for none */
    PartitionRounds(
            Path scratch, CutNetwork network, SmallCluster cluster, List<Machine> machines, String bug, long seed)
            throws IOException {
        this.network = network;
        this.keepers = cluster.ofKeepers();
        this.bookies = cluster.ofBookies();
        this.machines = machines;
        this.random = new Random(seed);
        String log = cluster.registry() + "/cut" + bug + "-" + seed;
        for (int i = 0; i < BROKERS; i++) {
            brokers.add(ClusterBroker.start(machines.get(i), scratch, i + 1, PORT, log, bug, SESSION_MILLIS));
        }
        registry =
                new ZooKeeperRegistry(cluster.registry(), ClusterAddress.of(log).name(), SESSION_MILLIS);
        load = NumberedLoad.start(servers(-1), histories, IMPATIENT);
        awaitProgress(1);
        watch = TruthWatch.start(network, brokers, histories);
    }

    /** Of all brokers, or of all but one. */
    private String servers(int without) {
        return IntStream.range(0, BROKERS)
                .filter(i -> i != without)
                .mapToObj(i -> brokers.get(i).servers())
                .collect(Collectors.joining(","));
    }

    /** Returns whether nothing is wrong so far. */
    boolean round() throws IOException {
        if (deck.isEmpty()) {
            deck.addAll(Cut.of(keepers.size()));
            Collections.shuffle(deck, random);
        }
        Direction[] directions = Direction.values();
        return round(deck.remove(0), directions[random.nextInt(directions.length)]);
    }

    boolean round(Cut cut, Direction direction) throws IOException {
        rounds++;
        cuts.merge(cut, 1, Integer::sum);
        awaitProgress(1 + random.nextInt(MOST_PROGRESS));
        ShardNode before = node();
        int owner = indexOf(before);
        Collection<Way> ways = ways(cut, direction, owner);
        long cutNanos = System.nanoTime();
        network.cut(ways);
        switch (cut.expected) {
            case ANOTHER -> awaitAnother(before, owner, cutNanos);
            case SAME -> requireSame(before, owner, cut);
            case ANY -> disturb(cut, ways);
            default -> throw new IllegalStateException("nobody expects " + cut.expected);
        }
        long mendedNanos = System.nanoTime();
        network.mend();
        awaitAgreement();
        long agreedMillis = millisSince(mendedNanos);
        agreements.add(agreedMillis);
        awaitProgress(1);
        check(servers(-1), rounds % CHECK_ALL_ONE_IN == 0);
        requireAllLive();
        LOG.info(
                "round {}: {} {}, {} ms, and {} ms to agree on broker {}",
                rounds,
                cut,
                direction,
                millisSince(cutNanos),
                agreedMillis,
                indexOf(node()) + 1);
        return violations.isEmpty();
    }

    private Collection<Way> ways(Cut cut, Direction direction, int owner) {
        Machine one = machines.get(owner);
        List<Machine> followers = new ArrayList<>(machines);
        followers.remove(one);
        Machine follower = followers.get(random.nextInt(followers.size()));
        return switch (cut) {
            case OWNER_FROM_REGISTRY -> ways(one, direction, keepers);
            case OWNER_FROM_REGISTRY_AND_WRITERS -> ways(one, direction, with(keepers, network.here()));
            case OWNER_FROM_BOOKIES -> ways(one, direction, bookies);
            case OWNER_FROM_ALL -> ways(one, direction, allBut(one));
            case OWNER_FROM_CLIENTS -> ways(one, direction, List.of(network.here(), network.watcher()));
            case OWNER_FROM_FOLLOWERS -> ways(one, direction, followers);
            case OWNER_FROM_A_BOOKIE -> ways(one, direction, List.of(bookies.get(random.nextInt(bookies.size()))));
            case A_FOLLOWER_FROM_ALL -> ways(follower, direction, allBut(follower));
            case OWNER_FLAPS ->
                switch (random.nextInt(3)) {
                    case 0 -> ways(one, direction, keepers);
                    case 1 -> ways(one, direction, bookies);
                    default -> ways(one, direction, allBut(one));
                };
            case A_KEEPER_FROM_KEEPERS -> ways(keepers.get(random.nextInt(keepers.size())), direction, keepers);
            case KEEPERS_FROM_EACH_OTHER ->
                keepers.stream()
                        .flatMap(keeper -> ways(keeper, direction, keepers).stream())
                        .distinct()
                        .toList();
        };
    }

    private List<Machine> allBut(Machine one) {
        List<Machine> others = new ArrayList<>(machines);
        others.addAll(bookies);
        others.addAll(keepers);
        others.add(network.here());
        others.add(network.watcher());
        others.remove(one);
        return others;
    }

    private static List<Machine> with(List<Machine> some, Machine one) {
        List<Machine> all = new ArrayList<>(some);
        all.add(one);
        return all;
    }

    private static Collection<Way> ways(Machine one, Direction direction, List<Machine> others) {
        List<Way> ways = new ArrayList<>();
        for (Machine other : others) {
            if (other.equals(one)) {
                continue;
            }
            if (direction != Direction.FROM) {
                ways.add(new Way(other, one));
            }
            if (direction != Direction.TO) {
                ways.add(new Way(one, other));
            }
        }
        return ways;
    }

    // ---- what follows ----

    /** The node of the shard, as the registry has it. */
    private ShardNode node() throws IOException {
        return Objects.requireNonNull(registry.load(SHARD)).node();
    }

    /** Which broker owns the log; -1 for none. */
    private static int indexOf(ShardNode node) {
        return node.owner() == null ? -1 : node.owner().brokerId() - 1;
    }

    private void awaitAnother(ShardNode before, int owner, long cutNanos) throws IOException {
        long[] last = {acknowledged(), cutNanos};
        await("another broker owns the log", () -> {
            if (acknowledged() > last[0]) {
                last[0] = acknowledged();
                last[1] = System.nanoTime();
            }
            ShardNode now = node();
            return now.epoch() > before.epoch() && indexOf(now) >= 0 && indexOf(now) != owner;
        });
        LOG.info(
                "claimed after {} ms; the owner before acknowledged for {} ms",
                millisSince(cutNanos),
                TimeUnit.NANOSECONDS.toMillis(last[1] - cutNanos));
        awaitProgress(1);
        takeovers.add(millisSince(cutNanos));
        check(servers(owner), false);
        // The owner before can be asked during this time, if clients reach it.
        awaitProgress(MOST_PROGRESS);
    }

    /** Unless the machine is so busy that the owner was not heard of in time without any cut. */
    private void requireSame(ShardNode before, int owner, Cut cut) throws IOException {
        int expired = expired(owner);
        if (cut != Cut.OWNER_FROM_CLIENTS) {
            awaitProgress(MOST_PROGRESS);
        }
        pause(LONG_ENOUGH.toMillis());
        if (cut != Cut.OWNER_FROM_CLIENTS) {
            awaitProgress(MOST_PROGRESS);
        }
        ShardNode now = node();
        if (now.epoch() != before.epoch() && expired(owner) == expired) {
            violations.add(new Violation(
                    Kind.OWNER,
                    cut + ": epoch " + now.epoch() + " of " + now.owner() + ", before it was " + before.epoch() + " of "
                            + before.owner() + ", which says: " + lastLines(owner)));
        }
    }

    private String lastLines(int broker) {
        String all = brokers.get(broker).process().output();
        return all.substring(Math.max(0, all.length() - LAST_CHARACTERS));
    }

    private int expired(int broker) {
        return brokers.get(broker).process().output().split(EXPIRED, -1).length - 1;
    }

    private void disturb(Cut cut, Collection<Way> ways) throws IOException {
        if (cut == Cut.OWNER_FLAPS) {
            flap(ways);
        } else {
            pause(random.nextInt(LONGEST_CUT_MILLIS));
        }
    }

    private void flap(Collection<Way> ways) throws IOException {
        int flaps = 1 + random.nextInt(MOST_FLAPS);
        for (int i = 0; i < flaps; i++) {
            pause(random.nextInt(LONGEST_CUT_MILLIS / flaps));
            network.mend();
            pause(random.nextInt(LONGEST_MENDED_MILLIS / flaps));
            network.cut(ways);
        }
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void awaitAgreement() {
        List<Admin> admins =
                brokers.stream().map(broker -> admin(broker.servers())).toList();
        try {
            await("all brokers name the owner of the log", () -> {
                int owner = indexOf(node());
                return owner >= 0 && admins.stream().allMatch(admin -> namedBy(admin) == owner);
            });
        } finally {
            admins.forEach(admin -> admin.close(Duration.ZERO));
        }
    }

    private static Admin admin(String servers) {
        Map<String, Object> settings = new HashMap<>(IMPATIENT);
        settings.put("bootstrap.servers", servers);
        return Admin.create(settings);
    }

    private static int namedBy(Admin admin) {
        try {
            return Objects.requireNonNull(admin.describeCluster().controller().get(ASK_MILLIS, TimeUnit.MILLISECONDS))
                            .id()
                    - 1;
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            return -1;
        }
    }

    private void requireAllLive() {
        for (ClusterBroker broker : brokers) {
            if (!broker.process().isAlive()) {
                violations.add(new Violation(
                        Kind.ENDED, "a broker has ended: " + broker.process().output()));
            }
        }
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(condition);
    }

    /** Waits until so many more records are acknowledged, and one of each partition. */
    private void awaitProgress(int more) {
        Progress progress = new Progress(histories);
        await("each partition goes on", () -> progress.isAtLeast(more));
    }

    private long acknowledged() {
        return histories.stream().mapToLong(NumberedHistory::acknowledgedCount).sum();
    }

    private void check(String servers, boolean all) {
        if (violations.isEmpty()) {
            histories.forEach(history -> violations.addAll(history.check(servers, all)));
            violations.addAll(watch.violations());
        }
    }

    /** Ends the load and reads everything once more. */
    List<Violation> finish() {
        load.close();
        watch.close();
        check(servers(-1), true);
        return violations;
    }

    /** One line with figures. */
    String figures() {
        return rounds + " rounds " + cuts + ", " + acknowledged() + " acknowledged, " + watch.figures()
                + "; milliseconds until another owner acknowledged " + takeovers + ", until brokers agreed "
                + agreements;
    }

    @Override
    public void close() throws IOException {
        load.close();
        watch.close();
        brokers.forEach(ClusterBroker::close);
        registry.close();
    }
}
