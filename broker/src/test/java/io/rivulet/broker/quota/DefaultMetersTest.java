package io.rivulet.broker.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.limit.NamesWithOneHash;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Names that clients choose with one hash. */
final class DefaultMetersTest {
    private static final QuotaKind KIND = QuotaKind.PRODUCER_BYTE_RATE;
    private static final int PAIRS = 10;
    private static final int NAMES = 1 << PAIRS;

    /** So a map finds one of them without a look at all. */
    @Test
    void namesWithOneHashAreInAnOrder() {
        List<DefaultMeters.Key> clients = IntStream.range(0, NAMES)
                .mapToObj(i -> new DefaultMeters.Key(KIND, null, NamesWithOneHash.name(i, PAIRS)))
                .toList();
        List<DefaultMeters.Key> users = IntStream.range(0, NAMES)
                .mapToObj(i -> new DefaultMeters.Key(KIND, NamesWithOneHash.name(i, PAIRS), "app"))
                .toList();

        assertThat(clients.stream().map(DefaultMeters.Key::hashCode).distinct()).hasSize(1);
        assertThat(new TreeSet<>(clients)).hasSize(NAMES);
        assertThat(new TreeSet<>(users)).hasSize(NAMES);
        DefaultMeters.Key key = new DefaultMeters.Key(KIND, "a", "a");
        assertThat(new TreeSet<>(List.of(
                        key,
                        new DefaultMeters.Key(KIND, null, "a"),
                        new DefaultMeters.Key(KIND, "a", null),
                        new DefaultMeters.Key(QuotaKind.REQUEST_PERCENTAGE, "a", "a"),
                        new DefaultMeters.Key(KIND, "a", "a"))))
                .hasSize(4)
                .contains(key);
    }

    /** Otherwise one client could use up what another one may use. */
    @Test
    void longNamesWithOneHashHaveMetersOfTheirOwn() {
        DefaultMeters meters = new DefaultMeters();
        String longName = "x".repeat(200);

        Meters first = meters.of(KIND, QuotaLevel.ANY_CLIENT, "", longName + NamesWithOneHash.name(0, PAIRS));
        assertThat(meters.of(KIND, QuotaLevel.ANY_CLIENT, "", longName + NamesWithOneHash.name(1, PAIRS)))
                .isNotSameAs(first);
        assertThat(meters.of(KIND, QuotaLevel.ANY_CLIENT, "", longName + NamesWithOneHash.name(0, PAIRS)))
                .isSameAs(first);

        String cutHere = "x".repeat(128);
        assertThat(meters.of(KIND, QuotaLevel.ANY_CLIENT, "", cutHere + "\0app"))
                .isNotSameAs(meters.of(KIND, QuotaLevel.ANY_CLIENT, "", cutHere + "app"));
    }
}
