package io.rivulet.broker.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SampleTest {
    @Test
    void aLineHasNameLabelsAndValue() {
        assertThat(Sample.parse("a_total 12")).isEqualTo(new Sample("a_total", Map.of(), 12));
        assertThat(Sample.parse("a{topic=\"t\",other=\"\"} 1.5e3 1700000000000"))
                .isEqualTo(new Sample("a", Map.of("topic", "t", "other", ""), 1500));
        assertThat(Sample.parse("a{topic=\"t\" , } +Inf"))
                .isEqualTo(new Sample("a", Map.of("topic", "t"), Double.POSITIVE_INFINITY));
    }

    @Test
    void labelsAreUnescaped() {
        assertThat(Sample.parse("a{g=\"q\\\"b\\\\n\\n} =,\"} 1"))
                .isEqualTo(new Sample("a", Map.of("g", "q\"b\\n\n} =,"), 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# TYPE a counter",
                "a",
                "a b",
                "{a=\"b\"} 1",
                "a{b} 1",
                "a{b=\"c} 1",
                "a{b=\"c\" d=\"e\"} 1",
                "a{b=\"c\"",
                "a{",
                "a{b=\"\\",
                "\u001b[2J 1"
            })
    void whatIsNoSampleIsNull(String line) {
        assertThat(Sample.parse(line)).isNull();
    }
}
