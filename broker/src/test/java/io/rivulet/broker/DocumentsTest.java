package io.rivulet.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documents have no broken links and no long lines, and decision records are complete. */
final class DocumentsTest {
    private static final Path ROOT = Repository.ROOT;
    private static final int MAX_LINE = 120;
    private static final int MAX_README_LINES = 100;
    private static final Pattern LINK = Pattern.compile("(?m)\\]\\(([^)\\s]+)\\)|^\\[[^\\]]+\\]: (\\S+)");
    private static final Pattern CODE = Pattern.compile("`[^`\n]*`");

    @Test
    void everyRelativeLinkHasATarget() {
        assertThat(pages(ROOT))
                .hasSizeGreaterThan(40)
                .allSatisfy(page -> assertThat(brokenLinks(page))
                        .as("broken links in %s", ROOT.relativize(page))
                        .isEmpty());
    }

    /** Except in results, which programs print, in CONFIGURATION.md, which is generated, and in tables. */
    @Test
    void linesEndAt120Characters() {
        List<Path> pages = pages(ROOT).stream()
                .filter(page -> !page.startsWith(ROOT.resolve("bench")) && !page.endsWith("CONFIGURATION.md"))
                .toList();
        assertThat(pages)
                .allSatisfy(page -> assertThat(lines(page))
                        .as(ROOT.relativize(page).toString())
                        .filteredOn(line -> !line.startsWith("| "))
                        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(MAX_LINE)));
        assertThat(lines(ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(MAX_README_LINES);
    }

    @Test
    void eachDecisionHasItsParts() {
        List<Path> records = pages(ROOT).stream()
                .filter(page -> page.startsWith(ROOT.resolve("docs/decisions")))
                .toList();
        assertThat(records).hasSizeGreaterThan(29).allSatisfy(record -> {
            assertThat(lines(record)).as(record.getFileName().toString()).contains("## Rejected", "## Consequence");
            assertThat(lines(record).get(2)).startsWith("Status: ");
            assertThat(read(ROOT.resolve("docs/decisions/0001-records-of-decisions.md")))
                    .contains(record.getFileName().toString().substring(0, 4));
        });
    }

    @Test
    void aBrokenLinkIsFound(@TempDir Path directory) throws IOException {
        Path page = directory.resolve("page.md");
        Files.writeString(directory.resolve("other.md"), "# Other\n\n## A `b` c?\n");
        Files.writeString(page, """
                # Page
                [good](other.md) [good](other.md#a-b-c) [good](#page) [good](https://example.org) `[code](gone.md)`
                [file](gone.md) [anchor](other.md#gone) [here](#gone)

                [by name]: gone.md#x
                ```
                [code](gone.md)
                ```
                """);

        assertThat(brokenLinks(page)).containsExactly("gone.md", "other.md#gone", "#gone", "gone.md#x");
    }

    private static List<String> brokenLinks(Path page) {
        List<String> broken = new ArrayList<>();
        Matcher link = LINK.matcher(CODE.matcher(prose(page)).replaceAll(""));
        while (link.find()) {
            String target = link.group(1) == null ? link.group(2) : link.group(1);
            if (!target.contains("://") && !isThere(page, target)) {
                broken.add(target);
            }
        }
        return broken;
    }

    private static boolean isThere(Path page, String target) {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        return Files.exists(file) && (parts.length == 1 || anchors(file).contains(parts[1]));
    }

    /** The anchors that GitHub generates from headings. */
    private static Set<String> anchors(Path page) {
        Set<String> anchors = new TreeSet<>();
        for (String line : prose(page).split("\n")) {
            if (line.startsWith("#")) {
                String heading = line.replaceFirst("^#+", "").strip().toLowerCase(Locale.ROOT);
                anchors.add(heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'));
            }
        }
        return anchors;
    }

    /** A page without its code blocks. */
    private static String prose(Path page) {
        return read(page).replaceAll("(?ms)^```.*?^```", "");
    }

    private static List<Path> pages(Path root) {
        List<Path> pages = new ArrayList<>();
        for (String folder : List.of("", "docs", "bench/results")) {
            try (Stream<Path> below = Files.walk(root.resolve(folder), folder.isEmpty() ? 1 : Integer.MAX_VALUE)) {
                pages.addAll(below.filter(path -> path.toString().endsWith(".md"))
                        .sorted()
                        .toList());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return pages;
    }

    private static List<String> lines(Path page) {
        return read(page).lines().toList();
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
