package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.containers.Chart.Node;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The pod of the chart's StatefulSet as a container: with its variables, user, rights, memory and volumes, and under
 * the names of its Services. There is no Kubernetes, so this class does what the kubelet would do with these fields.
 */
final class Pod implements AutoCloseable {
    private final List<Node> objects;
    private final Node container;
    private final Path scratch;
    private final String network;
    private final String volume;
    private final Map<String, Map<String, String>> secrets = new HashMap<>();
    private String id = "";

    /**
     * @param secrets files by the names of secrets that the chart does not make
     * @param scratch a directory for the files of volumes
     */
    Pod(List<Node> objects, Map<String, Map<String, String>> secrets, Path scratch) {
        this.objects = objects;
        this.container = spec().at("containers", 0);
        this.scratch = scratch;
        this.secrets.putAll(secrets);
        Chart.ofKind(objects, "Secret").forEach(secret -> {
            Map<String, String> files = new HashMap<>();
            secret.at("stringData").map().forEach((key, value) -> files.put(key.toString(), value.toString()));
            this.secrets.put(secret.at("metadata", "name").text(), files);
        });
        String name = "rivulet-chart-" + ProcessHandle.current().pid() + "-" + scratch.getFileName();
        this.network = Shell.run("docker", "network", "create", name).strip();
        this.volume = Shell.run("docker", "volume", "create", name).strip();
        // a new ext4 after the kubelet has applied fsGroup
        String group = spec().at("securityContext", "fsGroup").text();
        inNetwork(
                List.of("--user", "0", "-v", volume + ":/v"),
                "chown root:" + group + " /v && chmod 2775 /v && mkdir -m 700 /v/lost+found");
    }

    Node spec() {
        return Chart.only(objects, "StatefulSet").at("spec", "template", "spec");
    }

    /** Runs the container, and waits until the probe of readiness succeeds. */
    Pod start() throws IOException {
        List<String> command = new ArrayList<>(List.of("docker", "run", "-d", "--network", network));
        Chart.ofKind(objects, "Service")
                .forEach(service -> command.addAll(List.of(
                        "--network-alias",
                        service.at("metadata", "name").text() + "."
                                + service.at("metadata", "namespace").text() + ".svc.cluster.local")));
        // what the load balancer, or the DNS name of a node, would lead to
        environment("KAFKA_ADVERTISED_LISTENERS")
                .lines()
                .flatMap(listeners -> Stream.of(listeners.split(",", -1)))
                .filter(listener -> listener.startsWith("EXTERNAL://"))
                .forEach(listener -> command.addAll(
                        List.of("--network-alias", listener.replaceAll("EXTERNAL://(.*):[0-9]+", "$1"))));
        command.addAll(rights());
        container
                .at("env")
                .elements()
                .forEach(variable -> command.addAll(List.of(
                        "-e",
                        variable.at("name").text() + "=" + variable.at("value").text())));
        for (Node mount : container.at("volumeMounts").elements().toList()) {
            command.addAll(List.of(
                    "-v",
                    source(mount.at("name").text()) + ":"
                            + mount.at("mountPath").text()
                            + (mount.at("readOnly").exists() ? ":ro" : "")));
        }
        command.add(Image.require());
        id = Shell.run(command.toArray(String[]::new)).strip();
        Awaitility.await()
                .atMost(1, TimeUnit.MINUTES)
                .pollInterval(500, TimeUnit.MILLISECONDS)
                .until(() -> {
                    assertThat(inspect("{{.State.Running}}")).as("%s", log()).isEqualTo("true");
                    return probe("readinessProbe") == 200;
                });
        return this;
    }

    private String environment(String name) {
        return container
                .at("env")
                .elements()
                .filter(variable -> variable.at("name").text().equals(name))
                .map(variable -> variable.at("value").text())
                .collect(Collectors.joining());
    }

    private List<String> rights() {
        Node pod = spec().at("securityContext");
        Node own = container.at("securityContext");
        List<String> options = new ArrayList<>(List.of(
                "--user",
                pod.at("runAsUser").text() + ":" + pod.at("runAsGroup").text(),
                "--group-add",
                pod.at("fsGroup").text(),
                "-m",
                container.at("resources", "limits", "memory").text().replace("i", "")));
        own.at("capabilities", "drop").elements().forEach(each -> options.addAll(List.of("--cap-drop", each.text())));
        if (own.at("readOnlyRootFilesystem").text().equals("true")) {
            options.add("--read-only");
        }
        if (own.at("allowPrivilegeEscalation").text().equals("false")) {
            options.addAll(List.of("--security-opt", "no-new-privileges"));
        }
        return options;
    }

    /** A directory or a volume with what Kubernetes would mount. */
    private String source(String name) throws IOException {
        boolean isClaim = Chart.only(objects, "StatefulSet")
                .at("spec", "volumeClaimTemplates")
                .elements()
                .anyMatch(claim -> claim.at("metadata", "name").text().equals(name));
        if (isClaim) {
            return volume;
        }
        Node found = spec().at("volumes")
                .elements()
                .filter(each -> each.at("name").text().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no volume " + name));
        Path folder = Files.createDirectories(scratch.resolve(name));
        if (found.at("configMap").exists()) {
            Node map = Chart.only(objects, "ConfigMap");
            assertThat(map.at("metadata", "name").text())
                    .isEqualTo(found.at("configMap", "name").text());
            for (Map.Entry<?, ?> file : map.at("data").map().entrySet()) {
                Files.writeString(
                        folder.resolve(file.getKey().toString()),
                        file.getValue().toString());
            }
        }
        for (Node source : found.at("projected", "sources").elements().toList()) {
            String secret = source.at("secret", "name").text();
            Map<String, String> files = Objects.requireNonNull(secrets.get(secret), "no secret " + secret);
            for (Node item : source.at("secret", "items").elements().toList()) {
                String key = item.at("key").text();
                String text = Objects.requireNonNull(files.get(key), "no " + key + " in secret " + secret);
                // bytes that are no text are written as ISO 8859-1
                Files.writeString(folder.resolve(item.at("path").text()), text, StandardCharsets.ISO_8859_1);
            }
        }
        return folder.toString();
    }

    /** The status that a probe gets, at the address of the pod. */
    int probe(String name) {
        String address = inspect("{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}");
        Node http = container.at(name, "httpGet");
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://" + address + ":"
                                            + port(http.at("port").text())
                                            + http.at("path").text()))
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** The number of a port of the container, by its name. */
    private String port(String name) {
        return container
                .at("ports")
                .elements()
                .filter(port -> port.at("name").text().equals(name))
                .map(port -> port.at("containerPort").text())
                .collect(Collectors.joining());
    }

    /** Ends the container with SIGKILL and removes it. Its volume stays. */
    void kill() {
        Shell.run("docker", "rm", "-fv", id);
        id = "";
    }

    String exec(String... command) {
        List<String> all = new ArrayList<>(List.of("docker", "exec", id));
        all.addAll(List.of(command));
        return Shell.run(all.toArray(String[]::new));
    }

    /** Runs a command of bash in another container of the network. */
    String client(Path files, String command) {
        return inNetwork(List.of("-v", files + ":/client:ro"), command);
    }

    private String inNetwork(List<String> options, String command) {
        List<String> all = new ArrayList<>(List.of("docker", "run", "--rm", "--network", network));
        all.addAll(options);
        all.addAll(List.of(Image.require(), "bash", "-c", command));
        return Shell.run(all.toArray(String[]::new));
    }

    String log() {
        return Shell.run("docker", "logs", id);
    }

    String inspect(String format) {
        return Shell.run("docker", "inspect", "--format", format, id).strip();
    }

    @Override
    public void close() {
        if (!id.isEmpty()) {
            kill();
        }
        Shell.run("docker", "volume", "rm", volume);
        Shell.run("docker", "network", "rm", network);
    }
}
