package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.containers.Chart.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The Helm chart as text: what helm and Kubernetes accept, and which values are refused. */
final class ChartIT {
    @TempDir
    private Path scratch;

    @BeforeAll
    static void tools() {
        Tools.require();
    }

    static Stream<String> examples() throws IOException {
        return Chart.examples().stream();
    }

    static Stream<Arguments> examplesAndHelms() throws IOException {
        return examples().flatMap(example -> Stream.of("helm3", "helm4").map(helm -> Arguments.of(example, helm)));
    }

    private Path values(String yaml) throws IOException {
        return Files.writeString(scratch.resolve("values.yaml"), yaml);
    }

    @ParameterizedTest
    @MethodSource("examplesAndHelms")
    void helmAndKubernetesAcceptIt(String example, String helm) throws IOException {
        Shell.Outcome lint = Chart.lint(helm, Chart.example(example));
        Shell.Outcome template = Chart.template(helm, Chart.example(example));

        assertThat(lint.exitCode()).as(lint.out()).isZero();
        assertThat(template.exitCode()).as(template.out()).isZero();
        Tools.validate(Files.writeString(scratch.resolve("objects.yaml"), template.out()), "1.25", "1.31", "1.37");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void servicesAndMonitorsFindThePod(String example) {
        List<Node> objects = Chart.objects(Chart.example(example));
        Node template = Chart.only(objects, "StatefulSet").at("spec", "template");
        List<String> ports = template.at("spec", "containers", 0, "ports")
                .elements()
                .map(port -> port.at("name").text())
                .toList();

        Stream.concat(
                        Chart.ofKind(objects, "Service").map(service -> service.at("spec", "selector")),
                        Chart.ofKind(objects, "PodMonitor")
                                .map(monitor -> monitor.at("spec", "selector", "matchLabels")))
                .forEach(selector -> assertThat(
                                template.at("metadata", "labels").map().entrySet())
                        .as("%s", selector)
                        .hasSizeGreaterThan(1)
                        .isNotEmpty()
                        .extracting(Object::toString)
                        .containsAll(selector.map().entrySet().stream()
                                .map(Object::toString)
                                .toList()));
        assertThat(Chart.ofKind(objects, "Service")
                        .flatMap(service -> service.at("spec", "ports").elements())
                        .map(port -> port.at("targetPort").text()))
                .isSubsetOf(ports);
        assertThat(Chart.ofKind(objects, "PodMonitor")
                        .flatMap(monitor ->
                                monitor.at("spec", "podMetricsEndpoints").elements())
                        .map(endpoint -> endpoint.at("port").text()))
                .isSubsetOf(ports);
    }

    @Test
    void theDefaultKeepsRecordsOfOneBroker() {
        List<Node> objects = Chart.objects(Chart.example("default"));
        Node set = Chart.only(objects, "StatefulSet").at("spec");

        assertThat(set.at("replicas").text()).isEqualTo("1");
        assertThat(set.at("volumeClaimTemplates").elements()).hasSize(1);
        assertThat(set.at("template", "spec", "containers", 0, "image").text()).isEqualTo("rivulet:dev");
        assertThat(objects.toString()).doesNotContainIgnoringCase("durability");
    }

    /** The profile "restricted" of Kubernetes' Pod Security Standards. */
    @ParameterizedTest
    @MethodSource("examples")
    void thePodNeedsNoRights(String example) {
        Node pod =
                Chart.only(Chart.objects(Chart.example(example)), "StatefulSet").at("spec", "template", "spec");
        Node own = pod.at("containers", 0, "securityContext");

        assertThat(pod.at("securityContext", "runAsNonRoot").text()).isEqualTo("true");
        assertThat(pod.at("securityContext", "seccompProfile", "type").text()).isEqualTo("RuntimeDefault");
        assertThat(own.at("allowPrivilegeEscalation").text()).isEqualTo("false");
        assertThat(own.at("readOnlyRootFilesystem").text()).isEqualTo("true");
        assertThat(own.at("capabilities", "drop").elements().map(Node::text)).containsExactly("ALL");
        assertThat(pod.at("automountServiceAccountToken").text()).isEqualTo("false");
        assertThat(pod.at("enableServiceLinks").text()).isEqualTo("false");
        assertThat(pod.at("volumes").elements())
                .noneMatch(volume -> volume.at("hostPath").exists());
    }

    @Test
    void passwordsAreInSecretsOnly() {
        List<Node> objects = Chart.objects(Chart.example("secure"));

        assertThat(Chart.only(objects, "Secret").at("stringData", "users").text())
                .isEqualTo("admin:of-the-admin,alice:of:alice");
        assertThat(objects.stream().filter(object -> !object.at("kind").text().equals("Secret")))
                .noneMatch(object -> object.toString().contains("of-the-admin"));
    }

    @ParameterizedTest
    @CsvSource({"1Gi, 512m", "2Gi, 1024m", "1.5Gi, 768m", "1536Mi, 768m", "2G, 953m", "4294967296, 2048m"})
    void halfOfTheMemoryIsForBuffers(String limit, String direct) throws IOException {
        List<Node> objects = Chart.objects(values("resources: {limits: {memory: " + limit + "}}"));

        assertThat(variables(objects)).contains("RIVULET_OPTS=-XX:MaxDirectMemorySize=" + direct);
    }

    @Test
    void withoutALimitHeapAndBuffersAreGiven() throws IOException {
        Path values =
                values("{heap: 512m, directMemory: 1g, javaOptions: -Xss1m, resources: {limits: {memory: null}}}");

        assertThat(variables(Chart.objects(values)))
                .contains("KAFKA_HEAP_OPTS=-Xms48m -Xmx512m", "RIVULET_OPTS=-XX:MaxDirectMemorySize=1g -Xss1m");
    }

    private static List<String> variables(List<Node> objects) {
        return Chart.only(objects, "StatefulSet")
                .at("spec", "template", "spec", "containers", 0, "env")
                .elements()
                .map(variable ->
                        variable.at("name").text() + "=" + variable.at("value").text())
                .toList();
    }

    @Test
    void aChangeOfAKeyRestartsThePod() throws IOException {
        Node before = annotations(values("config: {num.partitions: 1}"));
        Node after = annotations(values("config: {num.partitions: 2}"));

        assertThat(before.at("checksum/config").text())
                .isNotEqualTo(after.at("checksum/config").text());
    }

    private static Node annotations(Path values) {
        return Chart.only(Chart.objects(values), "StatefulSet").at("spec", "template", "metadata", "annotations");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10000000            | 10000000",
                "0.25                | 0.25",
                "true                | true",
                "'a\\b'              | 'a\\\\b'",
                "'9223372036854775807' | 9223372036854775807",
            })
    void aKeyIsWrittenAsKafkaReadsIt(String yaml, String written) throws IOException {
        Node map = Chart.only(Chart.objects(values("config: {some.key: " + quoted(yaml) + "}")), "ConfigMap");

        assertThat(map.at("data", "server.properties").text().lines()).contains("some.key=" + written);
    }

    private static String quoted(String yaml) {
        return yaml.matches("[0-9.]{1,15}|true") ? yaml : "'" + yaml + "'";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // names and forms, which the schema refuses
                "replicas: 3                                           | replicas",
                "client: {prot: SSL}                                   | prot",
                "client: {protocol: TLS}                               | protocol",
                "client: {port: 0}                                     | port",
                "client: {port: '9092'}                                | port",
                "topics: ['a b']                                       | topics",
                "topics: ['a:0']                                       | topics",
                "heap: 512                                             | heap",
                "resources: {limits: {memory: a lot}}                  | memory",
                "config: {num.partitions: [1]}                         | num.partitions",
                "config: {'a b': 1}                                   | a b",
                "config: {a: \"b\\nlisteners=PLAINTEXT://:1\"}         | config",
                "persistence: {accessMode: ReadWriteMany}              | accessMode",
                "auth: {users: {'a:b': c}}                             | a:b",
                "auth: {users: {a: 'b,c:d'}}                           | users",
                "auth: {mechanisms: [GSSAPI]}                          | mechanisms",
                "image: {tag: 'a b'}                                   | tag",
                "external: {host: 'kafka:9092'}                        | host",
                "tls: {trust: {file: ''}}                              | file",
                "tls: {password: {key: ''}}                            | key",
                // values that do not fit together
                "config: {listeners: 'PLAINTEXT://:1'}                 | the chart sets listeners itself",
                "config: {ssl.keystore.password: a}                    | would be in a ConfigMap",
                "config: {ssl.keystore.key: a}                         | would be in a ConfigMap",
                "config: {listener.name.client.plain.sasl.jaas.config: a} | would be in a ConfigMap",
                "config: {rivulet.add.scram: a}                        | would be in a ConfigMap",
                "resources: {limits: {memory: null}}                   | resources.limits.memory is needed",
                "resources: {limits: {memory: 1023Mi}}                  | the broker needs 1Gi",
                "resources: {limits: {memory: 1000000000}}              | the broker needs 1Gi",
                "heap: 8g                                              | heap and directMemory are 8704 MiB together",
                "client: {port: 9644}                                  | client.port is 9644",
                "external: {enabled: true, protocol: SSL}              | external.host is needed",
                "external: {enabled: true, protocol: SSL, host: a, port: 9092} | must differ",
                "external: {enabled: true, protocol: SSL, host: a, type: NodePort} | from 30000 to 32767",
                "{client: {protocol: SSL}, tls: {mode: pem}}           | tls.secret is needed",
                "{client: {protocol: SSL}, tls: {mode: pkcs12, secret: a}} | tls.password.secret is needed",
                "{client: {protocol: SSL}, tls: {clientAuth: required}} | tls.trust.secret is needed",
                "client: {protocol: SASL_SSL}                          | auth.secret or auth.users is needed",
                "auth: {secret: users}                                 | nobody would have to log in",
                "{client: {protocol: SASL_SSL}, auth: {secret: a, users: {b: c}}} | exclude each other",
                "auth: {acls: true}                                    | every client is User:ANONYMOUS",
                "{client: {protocol: SASL_SSL}, auth: {users: {a: b}, acls: true}} | auth.superUsers is needed",
                "auth: {superUsers: ['User:admin']}                    | superUsers",
                "nameOverride: 1st                                     | nameOverride",
            })
    void aMistakeIsRefusedWithAReason(String yaml, String reason) throws IOException {
        for (String helm : List.of("helm3", "helm4")) {
            Shell.Outcome outcome = Chart.template(helm, values(yaml));

            assertThat(outcome.exitCode()).as(helm + ": " + outcome.out()).isNotZero();
            assertThat(outcome.out()).contains(reason);
        }
    }

    /** YAML would read them as a number and as nothing. */
    @Test
    void namesAreTexts() throws IOException {
        List<Node> objects = Chart.objects(
                values("{fullnameOverride: 'null', client: {protocol: SASL_SSL}, imagePullSecrets: ['123'],"
                        + " auth: {secret: '456'}, persistence: {existingClaim: '789'}}"));
        Node pod = Chart.only(objects, "StatefulSet").at("spec", "template", "spec");

        assertThat(objects).allMatch(object -> object.at("metadata", "name").value() instanceof String);
        assertThat(pod.at("imagePullSecrets", 0, "name").value()).isEqualTo("123");
        assertThat(pod.at("volumes", 1, "projected", "sources", 0, "secret", "name")
                        .value())
                .isEqualTo("456");
        assertThat(pod.at("volumes", 2, "persistentVolumeClaim", "claimName").value())
                .isEqualTo("789");
    }

    /** A chart that uses this one passes "global" on. */
    @Test
    void itMayBeAPartOfAnotherChart() throws IOException {
        assertThat(Chart.template("helm4", values("global: {imageRegistry: a}")).exitCode())
                .isZero();
    }

    @Test
    void longNamesStayWithinTheLimit() throws IOException {
        List<Node> objects = Chart.objects(values("fullnameOverride: " + "a".repeat(70)));

        assertThat(objects.stream().map(object -> object.at("metadata", "name").text()))
                .allMatch(name -> name.length() <= 63);
    }
}
