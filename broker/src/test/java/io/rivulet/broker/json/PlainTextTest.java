package io.rivulet.broker.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PlainTextTest {
    @Test
    void lettersOfEachLanguageStay() {
        String text = "a\"\\ \u00fc\u4e2d\u05d0\ud83d\ude00";

        assertThat(PlainText.of(text)).isSameAs(text);
    }

    @Test
    void whatControlsATerminalOrCanNotBeSeenIsEscaped() {
        assertThat(PlainText.of("\r\n\t\u001b[2J\u007f\u0085\u009b\u200b\u202e\u2028\u2029\ufeff\ud800"))
                .isEqualTo("\\u000d\\u000a\\u0009\\u001b[2J\\u007f\\u0085\\u009b\\u200b\\u202e\\u2028\\u2029\\ufeff"
                        + "\\ud800");
        assertThat(PlainText.of("\udb40\udc01")).isEqualTo("\\u{e0001}");
    }
}
