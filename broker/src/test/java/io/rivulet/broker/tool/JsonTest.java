package io.rivulet.broker.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.client.ClientException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonTest {
    @Test
    void valuesOfEveryKindAreParsed() {
        assertThat(Json.parse(" {\"a\": [1, -2.5e1, true, null, \"x\\n\\u00e9\\\"\"], \"b\": {}, \"c\":[] } "))
                .isEqualTo(Map.of(
                        "a", Arrays.asList(1L, -25.0, true, null, "x\n\u00e9\""), "b", Map.of(), "c", List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{1:2}", "\"x", "\"\\u12", "tru", "1 2", "[1 2]"})
    void whatIsNoJsonIsRefused(String text) {
        assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(ClientException.class);
    }

    @Test
    void deepNestingIsRefused() {
        assertThatThrownBy(() -> Json.parse("[".repeat(1_000_000)))
                .isInstanceOf(ClientException.class)
                .hasMessageContaining("nested");
    }

    @Test
    void textIsQuoted() {
        assertThat(Json.parse(Json.quoted("a\"b\\c\u0001"))).isEqualTo("a\"b\\c\u0001");
    }
}
