package io.rivulet.broker.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.json.JsonText;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Peer;
import io.rivulet.store.shard.ShardStatus;
import io.rivulet.store.shard.ShardStatus.Bookie;
import io.rivulet.store.shard.ShardStatus.BookieState;
import io.rivulet.store.shard.ShardStatus.Ledger;
import io.rivulet.store.shard.ShardStatus.LedgerState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What rivulet cluster status prints. */
final class ClusterStatusTextTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final ShardStatus STATUS = status(2, List.of());

    private static ShardStatus status(int ownerId, @Nullable List<Long> orphans) {
        return new ShardStatus(
                "orders",
                true,
                ownerId,
                7,
                NOW - 90_000,
                List.of(new Peer(1, "PLAINTEXT://a:9092"), new Peer(2, "PLAINTEXT://b:9092")),
                List.of(
                        new Ledger(5, LedgerState.CLOSED, 10, 1 << 20, NOW - 100_000, 2, List.of("x", "y")),
                        new Ledger(6, LedgerState.CLOSED, 20, 3 << 20, NOW - 95_000, 2, List.of("x", "z")),
                        new Ledger(8, LedgerState.OPEN, -1, -1, 0, 2, List.of("y", "z"))),
                List.of(7L),
                orphans,
                List.of(
                        new Bookie("x", "h1:3181", BookieState.WRITABLE),
                        new Bookie("y", "h2:3181", BookieState.READ_ONLY),
                        new Bookie("z", "", BookieState.LOST)));
    }

    private static List<String> lines(ShardStatus status, int listed) {
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out);
        ClusterStatusText.print(status, NOW, listed, writer);
        writer.flush();
        return out.toString().lines().map(String::stripTrailing).toList();
    }

    @Test
    void theTableSaysWhoOwnsTheLogAndWhatIsThere() {
        assertThat(lines(STATUS, 10))
                .containsExactly(
                        "Log        orders",
                        "Owner      broker 2",
                        "Epoch      7, since 2027-01-15T07:58:30Z (90 s)",
                        "Ledgers    3, 4.0 MiB (one copy), 1 not closed",
                        "To delete  1: 7",
                        "Orphans    none",
                        "",
                        "BROKER   ROLE     ENDPOINTS",
                        "1        follower PLAINTEXT://a:9092",
                        "2        owner    PLAINTEXT://b:9092",
                        "",
                        "LEDGER       STATE           ENTRIES         SIZE CREATED               COPIES BOOKIES",
                        "5            closed               10      1.0 MiB 2027-01-15T07:58:20Z  2      x, y",
                        "6            closed               20      3.0 MiB 2027-01-15T07:58:25Z  2      x, z",
                        "8            open                  ?            ? ?                     2      y, z",
                        "",
                        "BOOKIE                                 STATE      ADDRESS",
                        "x                                      writable   h1:3181",
                        "y                                      read-only  h2:3181",
                        "z                                      lost       ?");
    }

    @Test
    void earlierLedgersAreAddedUp() {
        assertThat(lines(STATUS, 1))
                .anyMatch(line -> line.matches("2 before +4\\.0 MiB"))
                .noneMatch(line -> line.startsWith("5 ") || line.startsWith("6 "));
    }

    @Test
    void nobodyOwnsIt() {
        assertThat(lines(status(Overview.NOBODY, null), 10))
                .contains("Owner      nobody that is alive")
                .noneMatch(line -> line.startsWith("Orphans"));
    }

    @Test
    void aLogOfOneBrokerHasNoListOfBrokers() {
        ShardStatus alone = new ShardStatus(
                "rivulet", false, Overview.NOBODY, 3, 0, List.of(), List.of(), List.of(), null, List.of());

        assertThat(lines(alone, 10))
                .contains("Log        rivulet, of one broker", "Epoch      3")
                .noneMatch(line -> line.startsWith("BROKER"));
    }

    @Test
    void textsOfOthersControlNoTerminal() {
        ShardStatus hostile = new ShardStatus(
                "n",
                true,
                1,
                1,
                0,
                List.of(new Peer(1, "PLAINTEXT://\u001b[2J:9092")),
                List.of(),
                List.of(),
                null,
                List.of(new Bookie("b\u001b", "\u001b:1", BookieState.WRITABLE)));

        assertThat(String.join("\n", lines(hostile, 10))).doesNotContain("\u001b");
    }

    @Test
    void theJsonHasEverything() {
        assertThat(JsonText.of(ClusterStatusText.json(STATUS)))
                .isEqualTo("{\"log\":\"orders\",\"shared\":true,\"owner\":2,\"epoch\":7,\"sinceMillis\":1799999910000,"
                        + "\"brokers\":[{\"id\":1,\"endpoints\":\"PLAINTEXT://a:9092\"},"
                        + "{\"id\":2,\"endpoints\":\"PLAINTEXT://b:9092\"}],\"ledgers\":["
                        + "{\"id\":5,\"state\":\"closed\",\"entries\":10,\"bytes\":1048576,"
                        + "\"createdMillis\":1799999900000,\"copies\":2,\"bookies\":[\"x\",\"y\"]},"
                        + "{\"id\":6,\"state\":\"closed\",\"entries\":20,\"bytes\":3145728,"
                        + "\"createdMillis\":1799999905000,\"copies\":2,\"bookies\":[\"x\",\"z\"]},"
                        + "{\"id\":8,\"state\":\"open\",\"entries\":null,\"bytes\":null,"
                        + "\"createdMillis\":null,\"copies\":2,\"bookies\":[\"y\",\"z\"]}],"
                        + "\"unneeded\":[7],\"orphans\":[],\"bookies\":["
                        + "{\"id\":\"x\",\"address\":\"h1:3181\",\"state\":\"writable\"},"
                        + "{\"id\":\"y\",\"address\":\"h2:3181\",\"state\":\"read-only\"},"
                        + "{\"id\":\"z\",\"address\":null,\"state\":\"lost\"}]}");
        assertThat(ClusterStatusText.json(status(Overview.NOBODY, null)))
                .containsEntry("owner", null)
                .containsEntry("orphans", null);
    }
}
