package io.rivulet.broker.cli;

import io.rivulet.broker.json.JsonText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "version", description = "Print the version of Rivulet and of Java.")
final class VersionCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public void run() {
        spec.commandLine()
                .getOut()
                .println(
                        json
                                ? JsonText.of(JsonText.object(
                                        "version",
                                        BuildInfo.version(),
                                        "java",
                                        Runtime.version().toString()))
                                : new BuildInfo().getVersion()[0]);
    }
}
