package io.rivulet.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.limit.NamesWithOneHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A client that may create topics chooses their names. */
final class ChosenNamesTest {
    private static final int PAIRS = 12;
    private static final int NAMES = 1 << PAIRS;
    private static final int SLOTS = 1 << 20;

    @Test
    void namesThatWereChosenToHaveOnePlaceHaveMany() {
        Set<Integer> hashCodes = new HashSet<>();
        Set<Integer> places = new HashSet<>();
        RowSlots slots = new RowSlots(SLOTS);
        for (int i = 0; i < NAMES; i++) {
            hashCodes.add(NamesWithOneHash.name(i, PAIRS).hashCode());
            places.add(slots.first(RowSlots.mixed(NameArena.hash(NamesWithOneHash.name(i, PAIRS)))));
        }

        assertThat(hashCodes).hasSize(1);
        assertThat(places).hasSizeGreaterThan(NAMES / 10 * 9);
    }

    @Test
    void anEntryOfTheLogAndARequestFindTheSamePlace() {
        for (String name : new String[] {"a", "a.b_c", "A-1", "x".repeat(249)}) {
            ByteBuffer bytes = ByteBuffer.wrap(name.getBytes(StandardCharsets.US_ASCII));
            assertThat(NameArena.hash(bytes)).isEqualTo(NameArena.hash(name));
            assertThat(NameArena.hash(name.replace('.', '_'))).isEqualTo(NameArena.hash(name));
        }
    }
}
