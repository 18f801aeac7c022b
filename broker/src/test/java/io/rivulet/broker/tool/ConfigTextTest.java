package io.rivulet.broker.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigTextTest {
    @Test
    void valuesMayBeListsInBrackets() {
        assertThat(ConfigText.parse("a=1,b=[x,y], c = z ,d="))
                .isEqualTo(Map.of("a", "1", "b", "x,y", "c", "z", "d", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "=1", "a=1,b", "a=[x"})
    void whatIsNoConfigIsRefused(String text) {
        assertThatThrownBy(() -> ConfigText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + text + "'");
    }
}
