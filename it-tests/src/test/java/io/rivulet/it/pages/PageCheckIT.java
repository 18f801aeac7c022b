package io.rivulet.it.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The check of the pages finds pages that are wrong. */
final class PageCheckIT {
    @TempDir
    private Path scratch;

    private void follow(String markdown) throws Exception {
        Path folder = Files.createDirectory(scratch.resolve("reader"));
        try (Reader reader = new Reader(folder, scratch.resolve("terminals"), Map.of("NAME", "reader"))) {
            reader.follow(Page.parse(markdown));
        }
    }

    private static String commands(String text) {
        return "```sh\n" + text + "\n```\n";
    }

    private static String printed(String text) {
        return "```text\n" + text + "\n```\n";
    }

    @Test
    void aPageThatIsRightPasses() throws Exception {
        follow("""
                # A page
                Write the file `names/first.txt`:

                ```properties
                one
                two
                ```

                And then, with `bash`:

                ```sh
                cd names
                count=$(wc -l < first.txt)
                cat first.txt
                ```

                The folder and variables stay:

                ```sh
                echo "$count lines for $NAME"
                basename "$PWD"
                echo hidden >&2
                ```

                ```text
                2 lines for ...
                ...
                hidden
                ```

                In a terminal of its own:

                ```sh
                echo "starting in $(basename "$PWD")"; while [ ! -e stop ]; do sleep 0.1; done; sleep 600
                ```

                ```text
                starting in reader
                ```
                """);
    }

    @Test
    void aCommandThatFailsIsFound() {
        assertThatThrownBy(() -> follow("# Page\n\n" + commands("echo before\nfalse\necho after")))
                .isInstanceOf(PageException.class)
                .hasMessageContainingAll("line 3", "failed", "They printed\nbefore\n");
        assertThat(scratch.resolve("terminals/first/line-3.out")).content().doesNotContain("after");
    }

    @Test
    void aCommandThatFailsBeforeAPipeIsFound() {
        assertThatThrownBy(() -> follow(commands("cat gone.txt | sort"))).hasMessageContainingAll("failed", "gone.txt");
    }

    @Test
    void aVariableOfAnotherTerminalIsNotThere() {
        assertThatThrownBy(() -> follow(commands("count=3")
                        + "In a terminal of its own:\n\n"
                        + commands("echo \"count is $count\"")
                        + printed("count is 3")))
                .hasMessageContainingAll("did not print", "count is \n");
    }

    @Test
    void commandsThatShouldKeepRunningAndEndAreFound() {
        assertThatThrownBy(() -> follow("In a terminal of its own:\n\n" + commands("true") + commands("sleep 0.1")))
                .hasMessageContainingAll("line 3", "ended before the end of the page");
        assertThat(scratch.resolve("terminals/first/line-6.out")).exists();
    }

    @Test
    void otherOutputIsFound() {
        assertThatThrownBy(() -> follow(commands("echo 3 messages") + printed("2 messages")))
                .isInstanceOf(PageException.class)
                .hasMessageContainingAll("line 1", "did not print only\n2 messages", "They printed\n3 messages");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "a|b,       a|b,       true",
                "a|b,       a|b|c,     false",
                "a|b|c,     a|b,       false",
                "a,         b,         false",
                "a...,      abc,       true",
                "a...,      ba,        false",
                "...c,      abc,       true",
                "a...c,     ab,        false",
                "a.c,       abc,       false",
                "...,       a|b|c,     true",
                "a|...,     a,         true",
                "...|c,     a|b|c,     true",
                "...|b,     a|b|c,     false",
                "a|...|c,   a|b|c|b|c, true",
                "a|...|b,   a|b|c,     false",
                "...|b|...|d, a|b|c|b|d, true",
                "...|b|d,   a|b|c|b|d, true",
                "...|d|...|b, a|b|c|d, false",
            })
    void outputIsComparedByLines(String expected, String printed, boolean isAll) {
        assertThat(Output.isAll(expected.replace('|', '\n'), printed.replace('|', '\n')))
                .isEqualTo(isAll);
    }

    @Test
    void spacesAtTheEndAndColorsDoNotCount() {
        assertThat(Output.isAll("a\nb\n", "a \n\u001b[1mb\u001b[0m\n\u001b[0m\u001b[0m"))
                .isTrue();
        assertThat(Output.isAll("a\nb\n", " a\nb\n")).isFalse();
    }

    @Test
    void theBeginningHasCompleteLinesOnly() {
        assertThat(Output.isBeginning("a\nb\n", "a\nb\nc")).isTrue();
        assertThat(Output.isBeginning("a\nb\n", "a\nb")).isFalse();
        assertThat(Output.isBeginning("a\nb\n", "b\nb\n")).isFalse();
        assertThat(Output.isBeginning("...\nready\n", "starting\nready\nserving\n"))
                .isTrue();
        assertThat(Output.isBeginning("...\nready\n", "starting\n")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "```bash\necho 1\n```\n",
                "```\necho 1\n```\n",
                "```console\n$ echo 1\n```\n",
                "```sh terminal\necho 1\n```\n",
                "````sh\necho 1\n````\n",
                "~~~sh\necho 1\n~~~\n",
                "- first:\n  ```sh\n  echo 1\n  ```\n",
                "Run:\n\n    echo 1\n",
                "Run:\n\n\techo 1\n",
                "Run `mvn test` now.\n",
                "Run `mvn\ntest` now.\n",
                "<pre>echo 1</pre>\n",
                "```sh\necho 1\n",
                "```text\n1\n```\n",
                "```sh\necho 1\n```\n```text\n1\n```\n```text\n1\n```\n",
                "```sh\necho 1\n```\n`a.txt`:\n```ini\n1\n```\n```text\n1\n```\n",
                "`../a.txt`:\n```ini\n1\n```\n",
                "`/tmp/a.txt`:\n```ini\n1\n```\n",
                "`a b.txt`:\n```ini\n1\n```\n",
            })
    void aFormThatWouldNotBeRunIsRefused(String markdown) {
        assertThatThrownBy(() -> Page.parse("# Page\n\n" + markdown)).isInstanceOf(PageException.class);
    }
}
