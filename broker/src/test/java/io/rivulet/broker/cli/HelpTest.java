package io.rivulet.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.ConfigReference;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

final class HelpTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Rivulet.commandLine(arguments[0])
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void eachCommandAndEachOptionIsDescribed() {
        CommandLine rivulet = Rivulet.commandLine("");

        assertThat(rivulet.getSubcommands()).containsKeys("start", "config", "topics", "health");
        rivulet.getSubcommands().forEach((name, command) -> {
            assertThat(command.getCommandSpec().usageMessage().description())
                    .as(name)
                    .isNotEmpty();
            for (ArgSpec argument : command.getCommandSpec().args()) {
                assertThat(argument.description()).as("%s %s", name, argument).isNotEmpty();
            }
        });
    }

    @Test
    void configDescribesAllKeys() {
        assertThat(run("config", "--describe")).isZero();

        assertThat(out).hasToString(ConfigReference.page());
    }

    @Test
    void configDescribesOneKey() {
        assertThat(run("config", "--describe", "num.partitions")).isZero();

        assertThat(out.toString())
                .startsWith("num.partitions\nPartitions of a topic")
                .endsWith("1 or more\n");
    }

    @Test
    void configSaysThatAKeyDoesNotExist() {
        assertThat(run("config", "--describe", "no.such.key")).isEqualTo(1);

        assertThat(err.toString()).contains("there is no key 'no.such.key'", "config --describe");
    }
}
