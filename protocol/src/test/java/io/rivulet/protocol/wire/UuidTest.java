package io.rivulet.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A map compares ids that have one hash. */
final class UuidTest {
    @Test
    void idsWithOneHashAreInAnOrder() {
        List<Uuid> ids = Stream.iterate(0L, i -> i < 1000, i -> i + 1)
                .map(i -> new Uuid(0, i << Integer.SIZE | i))
                .toList();

        assertThat(ids.stream().map(Uuid::hashCode).distinct()).hasSize(1);
        assertThat(new TreeSet<>(ids)).containsExactlyElementsOf(ids);
    }

    @Test
    void theOrderAgreesWithEquality() {
        Random random = new Random(7);
        for (int i = 0; i < 1000; i++) {
            Uuid one = new Uuid(random.nextInt(3) - 1, random.nextInt(3) - 1);
            Uuid other = new Uuid(random.nextInt(3) - 1, random.nextInt(3) - 1);
            assertThat(one.compareTo(other) == 0).isEqualTo(one.equals(other));
            assertThat(Integer.signum(one.compareTo(other))).isEqualTo(-Integer.signum(other.compareTo(one)));
        }
    }
}
