package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The Helm chart, and what helm makes of it. The name of the release is "events", its namespace "default". */
final class Chart {
    static final Path FOLDER = Path.of("..", "..", "chart").toAbsolutePath().normalize();

    private Chart() {}

    /** A node of a YAML document, by its path: names, and numbers for elements of lists. */
    record Node(@Nullable Object value) {
        Node at(Object... path) {
            Object found = value;
            for (Object step : path) {
                if (step instanceof Integer index) {
                    found = found instanceof List<?> list && index < list.size() ? list.get(index) : null;
                } else {
                    found = found instanceof Map<?, ?> map ? map.get(step) : null;
                }
            }
            return new Node(found);
        }

        boolean exists() {
            return value != null;
        }

        String text() {
            return String.valueOf(Objects.requireNonNull(value));
        }

        Stream<Node> elements() {
            return value instanceof List<?> list ? list.stream().map(Node::new) : Stream.empty();
        }

        Map<?, ?> map() {
            return value instanceof Map<?, ?> map ? map : Map.of();
        }
    }

    /** The values of the chart's own examples: each file chart/ci/NAME-values.yaml. */
    static List<String> examples() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER.resolve("ci"))) {
            return files.map(file -> file.getFileName().toString().replace("-values.yaml", ""))
                    .sorted()
                    .toList();
        }
    }

    static Path example(String name) {
        return FOLDER.resolve("ci").resolve(name + "-values.yaml");
    }

    static Shell.Outcome lint(String helm, Path values) {
        return Shell.tryRun(
                Map.of(), Tools.program(helm), "lint", "--strict", "-f", values.toString(), FOLDER.toString());
    }

    static Shell.Outcome template(String helm, Path values) {
        // another directory for its own files, so those of this user do not matter
        return Shell.tryRun(
                Map.of("HELM_CONFIG_HOME", "target/helm"),
                Tools.program(helm),
                "template",
                "events",
                FOLDER.toString(),
                "-f",
                values.toString());
    }

    /** The objects that helm 4 makes with these values. */
    static List<Node> objects(Path values) {
        Shell.Outcome outcome = template("helm4", values);
        assertThat(outcome.exitCode()).as(outcome.out()).isZero();
        return parse(outcome.out());
    }

    static List<Node> parse(String yaml) {
        List<Node> objects = new ArrayList<>();
        StreamSupport.stream(
                        new Yaml(new SafeConstructor(new LoaderOptions()))
                                .loadAll(yaml)
                                .spliterator(),
                        false)
                .filter(Objects::nonNull)
                .map(Node::new)
                .forEach(objects::add);
        return objects;
    }

    static Stream<Node> ofKind(List<Node> objects, String kind) {
        return objects.stream().filter(object -> object.at("kind").text().equals(kind));
    }

    static Node only(List<Node> objects, String kind) {
        List<Node> found = ofKind(objects, kind).toList();
        assertThat(found).as(kind).hasSize(1);
        return found.get(0);
    }
}
