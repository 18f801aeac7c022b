package io.rivulet.broker.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.json.JsonText;
import io.rivulet.broker.json.PlainText;
import io.rivulet.broker.tool.Json;
import io.rivulet.broker.top.Frame.GroupRow;
import io.rivulet.broker.top.Frame.TopicRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScreenTest {
    private static final String HOSTILE = "g\u001b[2J\r\n\u202e\u0085\u2028\ud800\u4e2d\u6587";

    private static final Frame FRAME = new Frame(
            1,
            false,
            Map.of(
                    Figure.MESSAGES_IN, 12_345.0,
                    Figure.BYTES_IN, 1_234_567.0,
                    Figure.FSYNC_MILLIS, 2.14,
                    Figure.CACHE_HITS, 0.98,
                    Figure.TOPICS, 1_000_000.0),
            IntStream.range(0, 30)
                    .mapToObj(i -> new TopicRow("topic-" + i, i, 1000 * i, 0, i == 0 ? 5.0 : null))
                    .toList(),
            List.of(new GroupRow(HOSTILE.repeat(3), "topic-0", 5, 61.5), new GroupRow("h", "topic-1", 1, null)));

    @Test
    void figuresTopicsAndLagsAreShown() {
        assertThat(new Screen(79, 18, 100).lines("title", FRAME)).containsExactly("""
                title
                in              12k/s   1.2MB/s   produce          -   p99 -
                out                           -   fetch            -   p99 -
                requests            -   connections -   topics 1.0M   partitions -
                fsync               -    2.1 ms   tail -   cache hits 98 %
                memory              -   disk - free

                TOPIC (6 of 30)                          MSG IN/S        IN       OUT       LAG
                topic-0                                         0      0B/s      0B/s         5
                topic-1                                         1   1.0kB/s      0B/s         -
                topic-2                                         2   2.0kB/s      0B/s         -
                topic-3                                         3   3.0kB/s      0B/s         -
                topic-4                                         4   4.0kB/s      0B/s         -
                topic-5                                         5   5.0kB/s      0B/s         -

                GROUP                        TOPIC                               LAG    BEHIND
                g\\u001b[2J\\u000d\\u000a\\u202~ topic-0                               5      62 s
                h                            topic-1                               1         -
                """.split("\n"));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "7, 5", "20, 6", "39, 12", "79, 24", "79, 7", "200, 100"})
    void noLineIsLongerThanTheTerminalAndNoneIsBelowIt(int width, int height) {
        assertThat(new Screen(width, height, 100).lines("title " + HOSTILE.substring(10), FRAME))
                .hasSizeLessThanOrEqualTo(height)
                .allSatisfy(line -> assertThat(Names.width(line)).isLessThanOrEqualTo(width));
    }

    @Test
    void namesAreEscapedAndCut() {
        assertThat(PlainText.of(HOSTILE))
                .isEqualTo("g\\u001b[2J\\u000d\\u000a\\u202e\\u0085\\u2028\\ud800\u4e2d\u6587");
        assertThat(Names.cut("\u4e2d\u6587", 4)).isEqualTo("\u4e2d\u6587");
        assertThat(Names.cut("\u4e2d\u6587", 3)).isEqualTo("\u4e2d~");
        assertThat(Names.cut("abc", 0)).isEmpty();
        assertThat(Names.padded("abcd", 3)).isEqualTo("ab~");
        assertThat(Names.padded("a", 3)).isEqualTo("a  ");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0.04, 0.0",
        "9.94, 9.9",
        "9.96, 10",
        "999.4, 999",
        "999.6, 1.0k",
        "12345, 12k",
        "999999, 1.0M",
        "1e18, 1.0E",
        "1e30, 1000000000000E"
    })
    void quantitiesAreShort(double value, String text) {
        assertThat(Quantity.of(value)).isEqualTo(text);
    }

    @Test
    void asJsonAFrameIsOneLine() {
        String line = FrameJson.of(Instant.EPOCH, "localhost:1", FRAME, 2);

        assertThat(line).doesNotContain("\n", "\r", "\u001b", "\u0085");
        assertThat(JsonText.of(Json.parse(line)))
                .startsWith("{\"time\":\"1970-01-01T00:00:00Z\",\"server\":\"localhost:1\",\"seconds\":1,"
                        + "\"restarted\":false,\"messagesInPerSecond\":12345,\"bytesInPerSecond\":1234567,"
                        + "\"bytesOutPerSecond\":null,")
                .contains("\"fsyncMillis\":2.14,")
                .contains("\"topics\":[{\"topic\":\"topic-0\",\"messagesInPerSecond\":0,\"bytesInPerSecond\":0,"
                        + "\"bytesOutPerSecond\":0,\"lag\":5},{\"topic\":\"topic-1\",")
                .contains("\"topic\":\"topic-0\",\"lag\":5,\"lagSeconds\":61.5},")
                .endsWith("{\"group\":\"h\",\"topic\":\"topic-1\",\"lag\":1,\"lagSeconds\":null}]}");
    }

    @Test
    void theSizeIsThatOfTheEnvironmentOrOfTheTerminal() {
        assertThat(Terminal.Size.of(null, null, "40 132")).isEqualTo(new Terminal.Size(40, 132));
        assertThat(Terminal.Size.of("10", "x", "40 132")).isEqualTo(new Terminal.Size(10, 132));
        assertThat(Terminal.Size.of(null, "50", null)).isEqualTo(new Terminal.Size(24, 50));
        assertThat(Terminal.Size.of(null, null, "0 0")).isEqualTo(new Terminal.Size(24, 80));
    }
}
