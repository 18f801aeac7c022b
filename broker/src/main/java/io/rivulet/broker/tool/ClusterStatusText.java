package io.rivulet.broker.tool;

import io.rivulet.broker.json.JsonText;
import io.rivulet.broker.json.PlainText;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Peer;
import io.rivulet.store.shard.ShardStatus;
import io.rivulet.store.shard.ShardStatus.Bookie;
import io.rivulet.store.shard.ShardStatus.Ledger;
import io.rivulet.store.shard.ShardStatus.LedgerState;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The status of a cluster, as text and as JSON. Stateless. */
final class ClusterStatusText {
    private static final String UNKNOWN = "?";
    private static final double MIB = 1 << 20;

    private ClusterStatusText() {}

    // ---- text ----

    /** @param listed so many of the last ledgers have a line each */
    static void print(ShardStatus status, long nowMillis, int listed, PrintWriter out) {
        line(out, "Log", PlainText.of(status.name()) + (status.isShared() ? "" : ", of one broker"));
        line(out, "Owner", owner(status));
        line(out, "Epoch", status.epoch() + since(status.sinceMillis(), nowMillis));
        line(out, "Ledgers", ledgers(status));
        if (!status.unneeded().isEmpty()) {
            line(out, "To delete", numbers(status.unneeded()));
        }
        List<Long> orphans = status.orphans();
        if (orphans != null) {
            line(out, "Orphans", orphans.isEmpty() ? "none" : numbers(orphans));
        }
        if (status.isShared()) {
            printBrokers(status, out);
        }
        printLedgers(status.ledgers(), listed, out);
        printBookies(status.bookies(), out);
    }

    private static void line(PrintWriter out, String name, String value) {
        out.printf("%-10s %s%n", name, value);
    }

    private static String owner(ShardStatus status) {
        if (!status.isShared()) {
            return "the broker with its data directory; the registry does not say whether it runs";
        }
        return status.ownerId() == Overview.NOBODY ? "nobody that is alive" : "broker " + status.ownerId();
    }

    private static String since(long millis, long nowMillis) {
        if (millis == 0) {
            return "";
        }
        return ", since " + time(millis) + " (" + age(Math.max(0, nowMillis - millis)) + ")";
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String age(long millis) {
        Duration age = Duration.ofMillis(millis);
        if (age.toHours() >= 48) {
            return age.toDays() + " days";
        }
        if (age.toMinutes() >= 120) {
            return age.toHours() + " h";
        }
        return age.toSeconds() >= 120 ? age.toMinutes() + " min" : age.toSeconds() + " s";
    }

    private static String ledgers(ShardStatus status) {
        long open = status.ledgers().stream()
                .filter(ledger -> ledger.state() != LedgerState.CLOSED)
                .count();
        return status.ledgers().size() + ", " + mib(bytes(status.ledgers())) + " (one copy), " + open + " not closed";
    }

    private static long bytes(List<Ledger> ledgers) {
        return ledgers.stream().mapToLong(ledger -> Math.max(0, ledger.bytes())).sum();
    }

    private static String mib(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / MIB);
    }

    private static String numbers(List<Long> ids) {
        return ids.size() + ": " + ids.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static void printBrokers(ShardStatus status, PrintWriter out) {
        out.printf("%n%-8s %-8s %s%n", "BROKER", "ROLE", "ENDPOINTS");
        for (Peer peer : status.peers()) {
            String role = peer.id() == status.ownerId() ? "owner" : "follower";
            out.printf("%-8d %-8s %s%n", peer.id(), role, PlainText.of(peer.endpoints()));
        }
    }

    private static void printLedgers(List<Ledger> ledgers, int listed, PrintWriter out) {
        int from = Math.max(0, ledgers.size() - Math.max(0, listed));
        out.printf(
                "%n%-12s %-12s %10s %12s %-21s %-6s %s%n",
                "LEDGER", "STATE", "ENTRIES", "SIZE", "CREATED", "COPIES", "BOOKIES");
        if (from > 0) {
            out.printf("%-12s %-12s %10s %12s%n", from + " before", "", "", mib(bytes(ledgers.subList(0, from))));
        }
        for (Ledger ledger : ledgers.subList(from, ledgers.size())) {
            out.printf(
                    "%-12d %-12s %10s %12s %-21s %-6d %s%n",
                    ledger.id(),
                    name(ledger.state()),
                    ledger.entries() < 0 ? UNKNOWN : ledger.entries(),
                    ledger.bytes() < 0 ? UNKNOWN : mib(ledger.bytes()),
                    ledger.createdMillis() == 0 ? UNKNOWN : time(ledger.createdMillis()),
                    ledger.copies(),
                    PlainText.of(String.join(", ", ledger.bookies())));
        }
    }

    private static void printBookies(List<Bookie> bookies, PrintWriter out) {
        out.printf("%n%-38s %-10s %s%n", "BOOKIE", "STATE", "ADDRESS");
        for (Bookie bookie : bookies) {
            String address = bookie.address().isEmpty() ? UNKNOWN : PlainText.of(bookie.address());
            out.printf("%-38s %-10s %s%n", PlainText.of(bookie.id()), name(bookie.state()), address);
        }
    }

    private static String name(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    // ---- JSON ----

    static Map<String, @Nullable Object> json(ShardStatus status) {
        return JsonText.object(
                "log",
                status.name(),
                "shared",
                status.isShared(),
                "owner",
                status.ownerId() == Overview.NOBODY ? null : status.ownerId(),
                "epoch",
                status.epoch(),
                "sinceMillis",
                orNull(status.sinceMillis(), 0),
                "brokers",
                status.peers().stream()
                        .map(peer -> JsonText.object("id", peer.id(), "endpoints", peer.endpoints()))
                        .toList(),
                "ledgers",
                status.ledgers().stream().map(ClusterStatusText::json).toList(),
                "unneeded",
                status.unneeded(),
                "orphans",
                status.orphans(),
                "bookies",
                status.bookies().stream()
                        .map(bookie -> JsonText.object(
                                "id",
                                bookie.id(),
                                "address",
                                bookie.address().isEmpty() ? null : bookie.address(),
                                "state",
                                name(bookie.state())))
                        .toList());
    }

    private static Map<String, @Nullable Object> json(Ledger ledger) {
        return JsonText.object(
                "id",
                ledger.id(),
                "state",
                name(ledger.state()),
                "entries",
                orNull(ledger.entries(), -1),
                "bytes",
                orNull(ledger.bytes(), -1),
                "createdMillis",
                orNull(ledger.createdMillis(), 0),
                "copies",
                ledger.copies(),
                "bookies",
                ledger.bookies());
    }

    private static @Nullable Long orNull(long value, long unknown) {
        return value == unknown ? null : Long.valueOf(value);
    }
}
