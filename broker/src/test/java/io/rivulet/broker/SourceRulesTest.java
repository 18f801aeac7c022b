package io.rivulet.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks all sources against rules that neither the compiler nor the formatter knows. Each finding says what to do. */
final class SourceRulesTest {
    private static final int MAX_FILE = 700;
    private static final int MAX_LINE = 120;
    private static final int MAX_METHOD = 70;
    private static final int MAX_PARAMETERS = 9;
    private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");
    private static final Pattern MAIN = Pattern.compile(".*/src/main/java/.*");
    private static final Pattern UNFINISHED = Pattern.compile("\\b(TO[D]O|FIX[M]E|X[X]X|HA[C]K)\\b");

    @Test
    void theSourcesKeepThem() throws IOException {
        List<Path> sources = sourcesBelow(Repository.ROOT, modules(Repository.ROOT));

        assertThat(sources).hasSizeGreaterThan(1_000);
        assertThat(findings(sources)).isEmpty();
    }

    @Test
    void eachIsFound(@TempDir Path folder) throws IOException {
        Path bad = folder.resolve("module/src/main/java/p/Bad.java");
        Files.createDirectories(Objects.requireNonNull(bad.getParent()));
        Files.writeString(bad, """
                package p;
                import java.util.*;
                class Bad {
                    // TO%s: %s
                    void many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {}
                    @Override void overridden(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {}
                    void sleeps(int a) throws Exception {
                        switch (a) { case 1: break; }
                        Thread.sleep(1);
                        System.out.println("Thread.sleep(1), System.err.println()");
                    }
                    void exactlyAsLong() {
                %s    }
                    void tooLong() {
                %s    }
                }
                class Second {}
                %s""".formatted(
                        "DO",
                        "x".repeat(MAX_LINE - 12),
                        "        sleeps(0);\n\n        // A comment.\n".repeat(MAX_METHOD - 2),
                        "        sleeps(0);\n".repeat(MAX_METHOD - 1),
                        "\n".repeat(MAX_FILE - 289)));

        assertThat(findings(sourcesBelow(folder, List.of("module"))).stream()
                        .map(finding -> finding.replaceFirst("^.*/", "")))
                .containsExactlyInAnyOrder(
                        "Bad.java:1: no package-info.java beside it: say what enters, what leaves, which thread",
                        "Bad.java:2: name what is imported",
                        "Bad.java:4: 121 characters: wrap the line at 120",
                        "Bad.java:4: do it now, or write an issue",
                        "Bad.java:5: 10 parameters, more than 9: combine some of them into a record",
                        "Bad.java:8: a switch without a default",
                        "Bad.java:9: wait for the event, not for the clock",
                        "Bad.java:10: use the logger, or the command's PrintWriter",
                        "Bad.java:218: 71 lines, more than 70: move the steps of this method into methods of their own",
                        "Bad.java:290: a second class: give it a file of its own",
                        "Bad.java:700: more than 700 lines: split it into classes with one idea each");
    }

    private static List<Path> sourcesBelow(Path root, List<String> modules) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : modules) {
            for (String kind : List.of("main", "test")) {
                Path folder = root.resolve(module).resolve("src").resolve(kind).resolve("java");
                if (Files.exists(folder)) {
                    try (Stream<Path> files = Files.walk(folder)) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                    }
                }
            }
        }
        return sources;
    }

    private static List<String> modules(Path root) throws IOException {
        return MODULE.matcher(Files.readString(root.resolve("pom.xml")))
                .results()
                .map(module -> module.group(1))
                .toList();
    }

    private static List<String> findings(List<Path> sources) throws IOException {
        List<String> findings = new ArrayList<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree file : task.parse()) {
                Rules rules = new Rules(file, positions, findings);
                rules.checkText();
                rules.scan(file, null);
            }
        }
        return findings;
    }

    /** The rules, in one file. */
    private static final class Rules extends TreeScanner<Void, Void> {
        private final CompilationUnitTree file;
        private final Path path;
        private final List<String> lines;
        private final SourcePositions positions;
        private final List<String> findings;

        Rules(CompilationUnitTree file, SourcePositions positions, List<String> findings) throws IOException {
            this.file = file;
            this.path = Path.of(file.getSourceFile().toUri());
            this.lines =
                    file.getSourceFile().getCharContent(true).toString().lines().toList();
            this.positions = positions;
            this.findings = findings;
        }

        void checkText() {
            if (lines.size() > MAX_FILE) {
                report(MAX_FILE, "more than %s lines: split it into classes with one idea each", MAX_FILE);
            }
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                if (line.length() > MAX_LINE && !line.startsWith("import ")) {
                    report(i + 1, "%s characters: wrap the line at %s", line.length(), MAX_LINE);
                }
                if (UNFINISHED.matcher(line).find()) {
                    report(i + 1, "do it now, or write an issue");
                }
            }
            if (MAIN.matcher(path.toString()).matches() && !Files.exists(path.resolveSibling("package-info.java"))) {
                report(1, "no package-info.java beside it: say what enters, what leaves, which thread");
            }
        }

        @Override
        public Void visitCompilationUnit(CompilationUnitTree unit, Void nothing) {
            unit.getTypeDecls().stream()
                    .filter(ClassTree.class::isInstance)
                    .skip(1)
                    .forEach(type -> report(firstLine(type), "a second class: give it a file of its own"));
            return super.visitCompilationUnit(unit, null);
        }

        @Override
        public Void visitImport(ImportTree imported, Void nothing) {
            if (imported.getQualifiedIdentifier().toString().endsWith(".*")) {
                report(firstLine(imported), "name what is imported");
            }
            return null;
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            long start = positions.getStartPosition(file, method); // a compact constructor has those of its record
            long parameters = method.getParameters().stream()
                    .filter(parameter -> positions.getStartPosition(file, parameter) > start)
                    .count();
            if (parameters > MAX_PARAMETERS && !isOverride(method)) {
                String what = "%s parameters, more than %s: combine some of them into a record";
                report(firstLine(method), what, parameters, MAX_PARAMETERS);
            }
            long length = method.getBody() == null ? 0 : linesOf(method.getBody());
            if (length > MAX_METHOD) {
                String what = "%s lines, more than %s: move the steps of this method into methods of their own";
                report(firstLine(method), what, length, MAX_METHOD);
            }
            return super.visitMethod(method, null);
        }

        @Override
        public Void visitSwitch(SwitchTree choice, Void nothing) {
            if (choice.getCases().stream().noneMatch(one -> one.getExpressions().isEmpty())) {
                report(firstLine(choice), "a switch without a default");
            }
            return super.visitSwitch(choice, null);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree member, Void nothing) {
            if (isMember(member, "Thread", "sleep")) {
                report(firstLine(member), "wait for the event, not for the clock");
            }
            if (isMember(member.getExpression(), "System", "out")
                    || isMember(member.getExpression(), "System", "err")) {
                report(firstLine(member), "use the logger, or the command's PrintWriter");
            }
            return super.visitMemberSelect(member, null);
        }

        private static boolean isOverride(MethodTree method) {
            return method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
        }

        private static boolean isMember(Tree tree, String type, String name) {
            return tree instanceof MemberSelectTree member
                    && member.getIdentifier().contentEquals(name)
                    && member.getExpression() instanceof IdentifierTree of
                    && of.getName().contentEquals(type);
        }

        /** Those with code, from the first bracket to the last. */
        private long linesOf(Tree body) {
            long last = file.getLineMap().getLineNumber(positions.getEndPosition(file, body));
            return lines.subList((int) firstLine(body) - 1, (int) last).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("//"))
                    .count();
        }

        private long firstLine(Tree tree) {
            return file.getLineMap().getLineNumber(positions.getStartPosition(file, tree));
        }

        private void report(long line, String what, Object... figures) {
            findings.add(path + ":" + line + ": " + String.format(Locale.ROOT, what, figures));
        }
    }
}
