package io.rivulet.broker.cli;

import io.rivulet.broker.config.ConfigCompatibility;
import io.rivulet.broker.config.ConfigReference;
import io.rivulet.broker.json.JsonText;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        description = {
            "Describe the keys of server.properties and of topics: meaning, default, allowed values, limits.",
            "It needs no running broker. 'rivulet configs' shows and changes the values of a running one.",
        })
final class ConfigCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Output output = new Output();

    /** One of them is given. */
    private static final class Output {
        @SuppressWarnings("UnusedVariable")
        @Option(names = "--describe", description = "print the reference, as Markdown")
        private boolean describe;

        @Option(
                names = "--compatibility",
                description = "print what each config of Kafka does here, as tables in Markdown")
        private boolean compatibility;
    }

    @Parameters(arity = "0..1", paramLabel = "KEY", description = "print this key only, such as log.retention.ms")
    private @Nullable String key;

    @Option(names = "--json", description = "with --describe: print the broker's keys as JSON")
    private boolean json;

    @Override
    public Integer call() {
        if (output.compatibility) {
            return print(ConfigCompatibility.tables());
        }
        if (json) {
            List<Map<String, @Nullable Object>> keys = ConfigReference.keys(key);
            return keys.isEmpty() ? unknown() : print(JsonText.of(keys) + System.lineSeparator());
        }
        String text = key == null ? ConfigReference.page() : ConfigReference.describe(key);
        return text == null ? unknown() : print(text);
    }

    private int unknown() {
        spec.commandLine()
                .getErr()
                .println("rivulet: there is no key '" + key + "'. 'rivulet config --describe' lists all keys.");
        return 1;
    }

    private int print(String text) {
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
        return 0;
    }
}
