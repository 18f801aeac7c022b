package io.rivulet.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RegistryTest {
    @Test
    void itNamesMembersForBothSystems() {
        Registry registry = Registry.of("a:2181, b:2181,c:2181");

        assertThat(registry.member(2)).isEqualTo(new Registry.Member("b", 2181));
        assertThat(registry.member(3).electionPort()).isEqualTo(2183);
        assertThat(registry.connect()).isEqualTo("a:2181,b:2181,c:2181");
        assertThat(registry.metadataUri()).isEqualTo("zk+hierarchical://a:2181;b:2181;c:2181/ledgers");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a | 'a' is no host:port",
                "a:0 | 'a:0' is no host:port",
                "a:65534 | up to 65533",
                "a:x | 'a:x' is no host:port",
                ":2181 | ':2181' is no host:port",
                "a:2181,,b:2181 | '' is no host:port",
                "a:2181,b:2181 | survive no more failures than 1",
                "a:2181,a:2183,b:2181 | too close"
            })
    void itSaysWhatIsWrong(String text, String reason) {
        assertThatThrownBy(() -> Registry.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void anIdIsTheNumberOfAMember() {
        Registry registry = Registry.of("a:2181");

        for (int id : new int[] {0, 2, -1}) {
            assertThatThrownBy(() -> registry.member(id))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the numbers 1 to 1");
        }
    }
}
