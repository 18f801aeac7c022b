package io.rivulet.broker.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JsonTextTest {
    @Test
    void valuesOfEachKindAreWrittenInTheirOrder() {
        assertThat(JsonText.of(JsonText.object(
                        "b", "text", "a", 1L, "none", null, "yes", true, "half", 0.5, "ids", new int[] {1, 2})))
                .isEqualTo("{\"b\":\"text\",\"a\":1,\"none\":null,\"yes\":true,\"half\":0.5,\"ids\":[1,2]}");
        assertThat(JsonText.of(List.of(Map.of(), List.of(), new int[0]))).isEqualTo("[{},[],[]]");
        assertThat(JsonText.of(Double.NaN)).isEqualTo("\"NaN\"");
    }

    @Test
    void noTextEndsALineOrTheQuotes() {
        assertThat(JsonText.of("a\"b\\c\nd\re\tf\0g\u001b[2Jh\u009bi\u007fü\u2028\u202e\ud83d\ude00"))
                .isEqualTo("\"a\\\"b\\\\c\\nd\\re\\tf\\u0000g\\u001b[2Jh\\u009bi\\u007fü\\u2028\\u202e\ud83d\ude00\"");
    }
}
