package io.rivulet.broker.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Print a script that completes commands and options of rivulet in a shell.",
            "bash: source <(rivulet completion)",
            "zsh: source <(rivulet completion zsh)",
        })
final class CompletionCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** The names are those of the shells. */
    private enum Shell {
        bash,
        zsh
    }

    @Parameters(
            arity = "0..1",
            paramLabel = "bash|zsh",
            description = "the shell; one script serves both",
            defaultValue = "bash")
    private Shell shell;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        if (shell == Shell.zsh) {
            out.println("autoload -Uz compinit && compinit");
            // A command of bash that zsh lacks. It only changes how a word ends.
            out.println("(( $+functions[compopt] )) || compopt() { :; }");
        }
        out.print(AutoComplete.bash("rivulet", Rivulet.commandLine("")));
        out.flush();
    }
}
