package io.rivulet.broker.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.http.HttpAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PageFilesTest {
    private static final Path SOURCES = Path.of("src/main/resources/io/rivulet/broker/console");
    private static final long OWN_BYTES = 96_000;

    private static byte[] served(String name) {
        HttpAnswer answer = Objects.requireNonNull(PageFiles.find(name), name);
        byte[] bytes = new byte[answer.body().readableBytes()];
        answer.body().readBytes(bytes).release();
        return bytes;
    }

    private static List<String> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> SOURCES.relativize(file).toString())
                    .toList();
        }
    }

    @Test
    void eachFileIsServedAsItIsInTheTree() throws IOException {
        for (String name : sources()) {
            assertThat(served(name)).as(name).isEqualTo(Files.readAllBytes(SOURCES.resolve(name)));
        }
    }

    @Test
    void librariesAreThoseWhoseChecksumsAreListed() throws Exception {
        Map<String, String> listed = Pattern.compile("(?m)^([0-9a-f]{64})  (\\S+) ")
                .matcher(new String(served("lib/LICENSES.txt"), UTF_8))
                .results()
                .collect(Collectors.toMap(line -> line.group(2), line -> line.group(1)));
        assertThat(sources().stream().filter(name -> name.startsWith("lib/") && !name.endsWith(".txt")))
                .map(name -> name.substring("lib/".length()))
                .containsExactlyInAnyOrderElementsOf(listed.keySet());
        for (Map.Entry<String, String> library : listed.entrySet()) {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(served("lib/" + library.getKey()));
            assertThat(HexFormat.of().formatHex(hash)).as(library.getKey()).isEqualTo(library.getValue());
        }
    }

    @Test
    void ownFilesStaySmall() throws IOException {
        long bytes = sources().stream()
                .filter(name -> !name.startsWith("lib/"))
                .mapToLong(name -> served(name).length)
                .sum();
        assertThat(bytes).isLessThan(OWN_BYTES);
    }

    /** The policy that each answer carries forbids them, so they would not work. */
    @Test
    void thePageHasNoInlineScriptsAndStyles() {
        String page = new String(served(""), UTF_8);
        assertThat(page).doesNotContain("<style", " style=", " onload=", "http:", "https:");
        assertThat(Pattern.compile("<script[^>]*>([^<]*)</script>")
                        .matcher(page)
                        .results()
                        .map(MatchResult::groupCount))
                .hasSize(2);
        assertThat(page).doesNotContainPattern("<script[^>]*>[^<]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../ConsoleApi.class",
                "lib",
                "lib/",
                "PageFiles.class",
                "index.html/",
                "app.js\0",
                "lib/../app.js"
            })
    void nothingElseIsServed(String name) {
        assertThat(PageFiles.find(name)).isNull();
    }
}
