package io.rivulet.broker.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Admitted expressions compile quickly, to a small program, on a small stack. Those of real clients are admitted. */
final class RegexesTest {
    private static final int RANDOM_PATTERNS = 20_000;
    /** Threads have 1 MiB. */
    private static final long SMALL_STACK_BYTES = 640 << 10;

    private static final long MOST_NANOS = 2_000_000_000L;
    private static final List<String> PIECES = List.of(
            "(",
            "(",
            ")",
            ")",
            "(?:",
            "(?i)",
            "(?i:",
            "(?P<n>",
            "(?s-i:",
            "[",
            "]",
            "[^",
            "a",
            "b",
            "-",
            "z",
            "|",
            "*",
            "+?",
            "?",
            "{",
            "}",
            "{2}",
            "{1000}",
            "{3,}",
            "{0,9}",
            "{,5}",
            "\\Q",
            "\\E",
            "\\",
            "\\d",
            "\\pL",
            "\\p{Greek}",
            "\\PN",
            "[:alpha:]",
            "\\x{10FFFF}",
            "\\x41",
            "\\x{",
            "\\777",
            "\\]",
            "ß",
            "\uD83D\uDE00",
            ".",
            "^",
            "$",
            "\\A",
            "\\C",
            ",");

    @Test
    void expressionsOfRealClientsAreAdmitted() {
        String names = IntStream.range(0, 300).mapToObj(i -> "orders-" + i).collect(Collectors.joining("|"));

        assertThat(List.of(
                        ".*",
                        "orders-.*",
                        "(?i)orders-[a-z0-9._-]{1,100}",
                        "^(dev|test|prod)\\.[^.]+\\.events(\\.v[0-9]+)?$",
                        "\\Qa.b.c\\E.*",
                        "[[:alpha:]]\\w*\\d{3}",
                        "\\p{L}+[\\p{N}_-]*",
                        "été.*",
                        names))
                .allSatisfy(regex ->
                        assertThat(Regexes.compile("Regex", regex).pattern()).isEqualTo(regex));
    }

    @Test
    void expensiveExpressionsAreRefused() {
        assertThat(List.of(
                        "(".repeat(4000) + ")".repeat(4000),
                        "(?:".repeat(101) + ")".repeat(101),
                        "((a{1000}){1000}){1000}",
                        "(((){1000}){1000}){1000}",
                        "(?:(?:a{0,99}){0,99}){0,99}",
                        "(a{100}b{,5}){,9}(c{9}{9}{9}{9}{9}){99}".repeat(4),
                        "\\pL{1000}",
                        "a{1000}(?i){1000}",
                        "a{1000}(?i){1000}(?s){1000}",
                        "^".repeat(8192),
                        "\\b".repeat(4096),
                        "()".repeat(2000),
                        "a?".repeat(4000),
                        "[\\pL\\pN]".repeat(30),
                        "(?i)[B-\\x{ffff}]",
                        "(?i)[!-\\x{9fff}]",
                        "(?i)[!-\\777]",
                        "[^(?i)\\x{1E900}](?i)é",
                        "\\Q[\\E" + "(".repeat(200) + ")".repeat(200),
                        "[]]" + "(".repeat(200) + ")".repeat(200),
                        "a".repeat(9000)))
                .allSatisfy(regex -> assertThatThrownBy(() -> Regexes.compile("Regex", regex))
                        .isInstanceOfSatisfying(RefusedException.class, refusal -> {
                            assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_REGULAR_EXPRESSION);
                            assertThat(refusal.getMessage()).hasSizeLessThan(500);
                        }));
    }

    @Test
    void anInvalidExpressionIsRefusedWithTheMessageOfTheCompiler() {
        assertThatThrownBy(() -> Regexes.compile("Regex", "a("))
                .isInstanceOf(RefusedException.class)
                .hasMessage("Regex `a(` is not a valid regular expression: missing closing ).");
    }

    /** Each has the highest cost that is allowed, in a different way. */
    @Test
    void theMostExpensiveAdmittedExpressionsCompileInTime() throws Exception {
        List<String> dearest = List.of(
                "(a{0,9}){99}",
                "[" + "\\pL".repeat(48) + "]",
                "\\pL".repeat(48),
                "(?i)[" + "\\pL".repeat(48) + "]",
                "(?i)[" + "!-~".repeat(90) + "]",
                "[" + "a-z".repeat(2700) + "]",
                "[" + "z-~a-c".repeat(1300) + "]",
                "(?:".repeat(99) + "a*" + ")*".repeat(99),
                "a|".repeat(1600),
                "a?".repeat(1600),
                "^".repeat(2000),
                "$".repeat(2000),
                "\\b".repeat(2000),
                "()".repeat(660),
                "(?:()){280}",
                "(?:$?){330}",
                IntStream.range(1, 120).mapToObj("a"::repeat).collect(Collectors.joining("|")),
                IntStream.range(1, 120).mapToObj(i -> "a".repeat(i) + "b").collect(Collectors.joining("|")));
        onASmallStack(() -> dearest.forEach(regex -> {
            long before = System.nanoTime();
            Pattern compiled = Regexes.compile("Regex", regex);
            boolean unused = compiled.matches("a".repeat(249));
            assertThat(System.nanoTime() - before).as(regex).isLessThan(MOST_NANOS);
        }));
    }

    @Test
    void theProgramOfAnAdmittedExpressionIsWithinItsBound() throws Exception {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        onASmallStack(() -> {
            int compiled = 0;
            for (int i = 0; i < RANDOM_PATTERNS; i++) {
                String regex = random.ints(1 + random.nextInt(40), 0, PIECES.size())
                        .mapToObj(PIECES::get)
                        .collect(Collectors.joining());
                compiled += isSmall(regex, seed) ? 1 : 0;
            }
            assertThat(compiled).as("seed %d", seed).isGreaterThan(RANDOM_PATTERNS / 100);
        });
    }

    /** False if it is refused. */
    private static boolean isSmall(String regex, long seed) {
        try {
            long before = System.nanoTime();
            int size = Regexes.compile("Regex", regex).programSize();
            assertThat(size).as("seed %d: %s", seed, regex).isLessThan(3 * RegexBounds.MAX_COST);
            assertThat(System.nanoTime() - before)
                    .as("seed %d: %s", seed, regex)
                    .isLessThan(MOST_NANOS);
            return true;
        } catch (RefusedException e) {
            return false;
        }
    }

    private static void onASmallStack(Runnable test) throws Exception {
        Throwable[] failure = {null};
        Thread thread = new Thread(null, test, "small-stack", SMALL_STACK_BYTES);
        thread.setUncaughtExceptionHandler((ended, thrown) -> failure[0] = thrown);
        thread.start();
        thread.join();
        assertThat(failure[0]).isNull();
    }
}
