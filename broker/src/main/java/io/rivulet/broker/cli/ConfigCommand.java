package io.rivulet.broker.cli;

import io.rivulet.broker.config.ConfigReference;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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

    /** Required, so its value is of no interest. */
    @SuppressWarnings("UnusedVariable")
    @Option(names = "--describe", required = true, description = "print the reference, as Markdown")
    private boolean describe;

    @Parameters(arity = "0..1", paramLabel = "KEY", description = "print this key only, such as log.retention.ms")
    private @Nullable String key;

    @Override
    public Integer call() {
        String text = key == null ? ConfigReference.page() : ConfigReference.describe(key);
        if (text == null) {
            spec.commandLine()
                    .getErr()
                    .println("rivulet: there is no key '" + key + "'. 'rivulet config --describe' lists all keys.");
            return 1;
        }
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
        return 0;
    }
}
