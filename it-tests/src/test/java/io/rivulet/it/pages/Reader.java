package io.rivulet.it.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A reader who does what a page says, in an empty folder. Owned by: one thread. */
final class Reader implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int TOLD_CHARACTERS = 6_000;

    private final Path folder;
    private final Path terminals;
    private final Map<String, String> environment;
    private final Terminal first;

    /** Terminals with commands that keep running. */
    private final Map<Page.Run, Terminal> others = new LinkedHashMap<>();

    /**
     * Starts the first terminal.
     *
     * @param folder where the reader works
     * @param terminals an empty folder
     */
    Reader(Path folder, Path terminals, Map<String, String> environment) throws IOException {
        this.folder = folder;
        this.terminals = terminals;
        this.environment = environment;
        first = new Terminal(folder, terminals.resolve("first"), environment);
    }

    /** Does all steps of the page. */
    void follow(Page page) throws IOException {
        for (Page.Step step : page.steps()) {
            if (step instanceof Page.WriteFile file) {
                Path path = folder.resolve(file.path());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.text());
            } else if (step instanceof Page.Run run && run.keepsRunning()) {
                keepRunning(run);
            } else if (step instanceof Page.Run run) {
                run(run);
            }
        }
        for (Map.Entry<Page.Run, Terminal> other : others.entrySet()) {
            require(
                    other.getValue().isBusy(),
                    other.getKey(),
                    "ended before the end of the page, though they are said to keep running",
                    other.getValue());
        }
    }

    private void run(Page.Run run) throws IOException {
        first.start(run.line(), run.text());
        require(first.awaitSuccess(PATIENCE), run, "failed, or took too long", first);
        if (run.output().isPresent()) {
            String expected = run.output().get();
            require(Output.isAll(expected, first.printed()), run, "did not print only\n" + expected, first);
        }
    }

    private void keepRunning(Page.Run run) throws IOException {
        Terminal terminal = new Terminal(folder, terminals.resolve("of-line-" + run.line()), environment);
        others.put(run, terminal);
        terminal.start(run.line(), run.text());
        if (run.output().isPresent()) {
            String expected = run.output().get();
            require(terminal.awaitOutput(expected, PATIENCE), run, "did not print, at first,\n" + expected, terminal);
        }
    }

    private void require(boolean holds, Page.Run run, String what, Terminal terminal) throws IOException {
        if (!holds) {
            StringBuilder message = new StringBuilder("these commands " + what + "\n" + run.text());
            message.append("\nThey printed\n").append(end(terminal));
            others.values().stream()
                    .filter(other -> other != terminal)
                    .forEach(other ->
                            message.append("\nAnother terminal printed\n").append(end(other)));
            throw new PageException(run.line(), message.toString());
        }
    }

    private static String end(Terminal terminal) {
        try {
            String printed = terminal.printed();
            return printed.substring(Math.max(0, printed.length() - TOLD_CHARACTERS));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        others.values().forEach(Terminal::close);
        first.close();
    }
}
