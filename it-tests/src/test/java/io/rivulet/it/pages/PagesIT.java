package io.rivulet.it.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The quick start pages: every command runs, and prints what its page says. */
@Tag("apps")
final class PagesIT {
    private static final Path PAGES = Path.of("..", "docs", "start");
    private static final List<String> TOOLS = List.of("mvn", "python3", "npm", "go", "psql", "curl");

    @TempDir
    private Path scratch;

    /** All pages, or the one that the property {@code rivulet.page} names. */
    static List<String> pages() throws IOException {
        String only = System.getProperty("rivulet.page");
        if (only != null) {
            return List.of(only);
        }
        try (Stream<Path> files = Files.list(PAGES)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void theCommandsOfThePageWork(String name) throws Exception {
        String markdown = Files.readString(PAGES.resolve(name));
        TOOLS.stream()
                .filter(tool ->
                        Pattern.compile("(?m)^" + tool + " ").matcher(markdown).find())
                .forEach(Programs::require);
        Path folder = Files.createDirectory(scratch.resolve("reader"));
        try (Services services = new Services(markdown, scratch, folder)) {
            services.start();
            Page page = Page.parse(services.adapt());
            assertThat(page.steps()).isNotEmpty();
            try (Reader reader = new Reader(folder, scratch.resolve("terminals"), services.environment())) {
                reader.follow(page);
            }
        }
    }
}
