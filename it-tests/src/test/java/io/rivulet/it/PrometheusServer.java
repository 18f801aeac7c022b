package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.tool.Json;
import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Debian's Prometheus, which scrapes one broker each second. Owned by: one test. */
final class PrometheusServer implements AutoCloseable {
    private final Process process;
    private final String address;

    private PrometheusServer(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /**
     * @param config of Prometheus, whose target and times are replaced
     * @param target host:port of the pages of the broker
     */
    static PrometheusServer start(Path scratch, Path config, String target) throws IOException {
        Programs.require("prometheus");
        String text = Files.readString(config)
                .replaceAll("\\[\"[^\"]+\"]", "[\"" + target + "\"]")
                .replaceAll("_interval: \\w+", "_interval: 1s");
        Path copy = Files.writeString(scratch.resolve("prometheus.yaml"), text);
        String place = "localhost:" + Ports.free();
        Process process = new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + copy,
                        "--storage.tsdb.path=" + scratch.resolve("prometheus"),
                        "--web.listen-address=" + place,
                        "--log.level=warn")
                .redirectErrorStream(true)
                .redirectOutput(scratch.resolve("prometheus.log").toFile())
                .start();
        return new PrometheusServer(process, "http://" + place);
    }

    /** The series that the expression gives: the value of each by its labels. */
    List<Sample> query(String expression) throws Exception {
        Object data = ask("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
        return ((List<?>) member(data, "result"))
                .stream()
                        .map(one -> new Sample(
                                (Map<?, ?>) member(one, "metric"),
                                String.valueOf(((List<?>) member(one, "value")).get(1))))
                        .toList();
    }

    record Sample(Map<?, ?> labels, String value) {}

    /** The names of alerts that fire. */
    List<String> firing() throws Exception {
        return ((List<?>) member(ask("/api/v1/alerts"), "alerts"))
                .stream()
                        .filter(alert -> "firing".equals(member(alert, "state")))
                        .map(alert -> String.valueOf(member(member(alert, "labels"), "alertname")))
                        .toList();
    }

    /** The health of each rule by its name: "ok" if its expression could be evaluated. */
    List<String> rules() throws Exception {
        return ((List<?>) member(ask("/api/v1/rules"), "groups"))
                .stream()
                        .flatMap(group -> ((List<?>) member(group, "rules")).stream())
                        .map(rule -> member(rule, "name") + " " + member(rule, "health"))
                        .toList();
    }

    private Object ask(String path) throws Exception {
        HttpPage.Answer answer = HttpPage.get(address + path);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return member(Json.parse(answer.body()), "data");
    }

    private static Object member(@Nullable Object object, String name) {
        return Objects.requireNonNull(((Map<?, ?>) Objects.requireNonNull(object)).get(name), name);
    }

    /** Waits until the broker was scraped this often. */
    void awaitScrapes(int count) {
        Awaitility.await()
                .atMost(Clients.PATIENCE)
                .ignoreExceptions()
                .until(() -> query("count_over_time(up{job=\"rivulet\"}[10m])").stream()
                        .anyMatch(sample -> Double.parseDouble(sample.value()) >= count));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
