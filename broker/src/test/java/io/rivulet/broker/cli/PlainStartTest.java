package io.rivulet.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Command lines that are parsed without picocli have the same meaning as with picocli. */
final class PlainStartTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "start",
                "start server.properties",
                "start --override a=b",
                "start --override a=b --override a=c file --override d=e=f",
                "start --override empty=",
                "start --override listeners=PLAINTEXT://localhost:1,OUTSIDE://localhost:2",
            })
    void whatIsPlainMeansTheSame(String line) {
        String[] arguments = line.split(" ", -1);
        PlainStart plain = Objects.requireNonNull(PlainStart.of(arguments));

        CommandLine.ParseResult parsed =
                Rivulet.commandLine("start").parseArgs(arguments).subcommand();
        assertThat(plain.file()).isEqualTo(parsed.matchedPositionalValue(0, null));
        assertThat(plain.overrides()).isEqualTo(parsed.matchedOptionValue("--override", java.util.Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "version",
                "strat",
                "start --help",
                "start a b",
                "start --override",
                "start --override a",
                "start --override =b",
                "start --override a=\"b\"",
                "start --override=a=b",
                "start @file",
            })
    void theRestIsLeftToPicocli(String line) {
        assertThat(PlainStart.of(line.isEmpty() ? new String[0] : line.split(" ", -1)))
                .as(List.of(line.split(" ", -1)).toString())
                .isNull();
    }
}
