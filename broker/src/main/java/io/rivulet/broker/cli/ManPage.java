package io.rivulet.broker.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The manual page of a command, in the language of roff with the macros of man. Owned by: one thread. */
final class ManPage {
    private final StringBuilder page = new StringBuilder();
    private final CommandSpec command;
    private final UsageMessageSpec usage;

    private ManPage(CommandSpec command) {
        this.command = command;
        this.usage = command.usageMessage();
    }

    static String of(CommandSpec command) {
        return new ManPage(command).write();
    }

    private String write() {
        String name = command.qualifiedName("-");
        macro(".TH " + escaped(name).toUpperCase(Locale.ROOT) + " 1 \"\" \"rivulet\"");
        macro(".ad l"); // a synopsis has words that are too long to fill lines up
        section("NAME");
        text(name + " - " + firstSentence());
        section("SYNOPSIS");
        synopsis();
        section("DESCRIPTION");
        paragraphs(usage.description());
        arguments();
        subcommands();
        exitCodes();
        if (usage.footer().length > 0) {
            section("NOTES");
            paragraphs(usage.footer());
        }
        section("SEE ALSO");
        text(command.parent() == null ? "docs/OPERATIONS.md, docs/CONFIGURATION.md" : "rivulet(1)");
        return page.toString();
    }

    private String firstSentence() {
        String text = usage.description().length == 0 ? "" : usage.description()[0];
        int end = text.indexOf(". ");
        String sentence = end < 0 ? text : text.substring(0, end);
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    private void synopsis() {
        Help help = new Help(command, Help.defaultColorScheme(Help.Ansi.OFF));
        text(help.synopsis(0).strip().replaceAll("\\s+", " "));
    }

    private void arguments() {
        List<PositionalParamSpec> positional = command.positionalParameters().stream()
                .filter(one -> !one.hidden())
                .toList();
        List<OptionSpec> options =
                command.options().stream().filter(one -> !one.hidden()).toList();
        if (positional.isEmpty() && options.isEmpty()) {
            return;
        }
        section("OPTIONS");
        positional.forEach(one -> argument(one.paramLabel(), one));
        options.forEach(one -> argument(names(one), one));
    }

    private static String names(OptionSpec option) {
        String names = String.join(", ", option.names());
        return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
    }

    private void argument(String name, ArgSpec argument) {
        entry(name, Arrays.stream(argument.description()).collect(Collectors.joining(" ")));
    }

    private void subcommands() {
        Map<String, CommandLine> subcommands = command.subcommands();
        if (subcommands.isEmpty()) {
            return;
        }
        section("COMMANDS");
        subcommands.forEach((name, subcommand) -> {
            UsageMessageSpec described = subcommand.getCommandSpec().usageMessage();
            if (!described.hidden()) {
                entry(name, String.join(" ", described.description()));
            }
        });
    }

    private void exitCodes() {
        if (!usage.exitCodeList().isEmpty()) {
            section("EXIT STATUS");
            usage.exitCodeList().forEach(this::entry);
        }
    }

    // ---- roff ----

    private void macro(String line) {
        page.append(line).append('\n');
    }

    private void section(String name) {
        macro(".SH \"" + name + "\"");
    }

    private void entry(String name, String text) {
        macro(".TP");
        macro("\\fB" + escaped(name) + "\\fR");
        text(text);
    }

    private void paragraphs(String[] lines) {
        for (String line : lines) {
            if (!line.isBlank()) {
                macro(".PP");
                text(line);
            }
        }
    }

    private void text(String text) {
        macro("\\&" + escaped(text));
    }

    /** A minus stays a minus, so that an option can be copied from the page. */
    private static String escaped(String text) {
        return text.replace("%n", " ")
                .replace("%%", "%")
                .replace("\\", "\\e")
                .replace("-", "\\-")
                .replace('\n', ' ');
    }
}
