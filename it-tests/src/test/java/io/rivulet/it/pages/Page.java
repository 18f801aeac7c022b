package io.rivulet.it.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a reader of a quick start page does, in its order. The notation is in docs/decisions/0054-quick-start-pages.md.
 * What may be a command, but has another form, is refused, because it would not be run. Immutable.
 */
record Page(List<Step> steps) {
    private static final Pattern FENCE = Pattern.compile("```([^`]*)");
    private static final Pattern FILE = Pattern.compile("(?:^|.* )`([^`]+)`:");
    private static final Pattern SPAN = Pattern.compile("`([^`]*)`");
    private static final Pattern PATH = Pattern.compile("[\\w.-]+(/[\\w.-]+)*");
    private static final String KEEPS_RUNNING = "a terminal of its own:";
    private static final String COMMANDS = "sh";
    private static final String OUTPUT = "text";

    /** Something to do. The line is that of its block in the page. */
    sealed interface Step permits WriteFile, Run {
        int line();

        String text();
    }

    /** Writes a file, in a path relative to the reader's folder. */
    record WriteFile(int line, String path, String text) implements Step {}

    /** Runs commands: in the first terminal, or in one of their own, where they keep running. */
    record Run(int line, String text, boolean keepsRunning, Optional<String> output) implements Step {}

    private record Block(int line, String leadIn, String language, String text) {}

    static Page parse(String markdown) {
        List<Step> steps = new ArrayList<>();
        for (Block block : blocks(markdown)) {
            Matcher file = FILE.matcher(block.leadIn);
            if (block.language.equals(COMMANDS)) {
                boolean keepsRunning = block.leadIn.endsWith(KEEPS_RUNNING);
                steps.add(new Run(block.line, block.text, keepsRunning, Optional.empty()));
            } else if (block.language.equals(OUTPUT)) {
                addOutput(block, steps);
            } else {
                require(file.matches(), block.line, "neither commands (sh), nor output (text), nor a file (`path`:)");
                require(isInside(file.group(1)), block.line, "no path below the folder: " + file.group(1));
                steps.add(new WriteFile(block.line, file.group(1), block.text));
            }
        }
        return new Page(List.copyOf(steps));
    }

    /** The commands before it must be the last step so far. */
    private static void addOutput(Block block, List<Step> steps) {
        if (!steps.isEmpty()
                && steps.get(steps.size() - 1) instanceof Run run
                && run.output().isEmpty()) {
            Run withOutput = new Run(run.line(), run.text(), run.keepsRunning(), Optional.of(block.text));
            steps.set(steps.size() - 1, withOutput);
        } else {
            throw new PageException(block.line, "output that does not follow commands");
        }
    }

    private static List<Block> blocks(String markdown) {
        List<Block> blocks = new ArrayList<>();
        String leadIn = "";
        List<String> lines = markdown.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (fence.matches()) {
                StringBuilder text = new StringBuilder();
                int line = i + 1;
                for (i++; i < lines.size() && !lines.get(i).equals("```"); i++) {
                    text.append(lines.get(i)).append('\n');
                }
                require(i < lines.size(), line, "a block without an end");
                blocks.add(new Block(line, leadIn, fence.group(1), text.toString()));
                leadIn = "";
            } else if (!lines.get(i).isBlank()) {
                requireProse(lines.get(i), i + 1);
                leadIn = lines.get(i);
            }
        }
        return blocks;
    }

    private static void requireProse(String text, int line) {
        require(!text.contains("```") && !text.contains("~~~"), line, "a fence that is indented, or not ```");
        require(!text.startsWith("    ") && !text.startsWith("\t"), line, "an indented block: use a fence");
        require(!text.contains("<pre") && !text.contains("<code"), line, "code in HTML: use a fence");
        Matcher span = SPAN.matcher(text);
        while (span.find()) {
            require(!span.group(1).contains(" "), line, "this may be a command, use a block: " + span.group());
        }
        require(span.replaceAll("").indexOf('`') < 0, line, "code that ends in another line");
    }

    private static boolean isInside(String path) {
        return PATH.matcher(path).matches() && !List.of(path.split("/")).contains("..");
    }

    private static void require(boolean holds, int line, String what) {
        if (!holds) {
            throw new PageException(line, what);
        }
    }
}
