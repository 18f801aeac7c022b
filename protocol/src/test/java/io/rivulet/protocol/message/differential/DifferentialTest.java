package io.rivulet.protocol.message.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares every message in every version with Kafka's own classes. */
class DifferentialTest {
    private static final int RANDOM_TREES = 12;

    private final Comparison comparison = new Comparison(new Ours(), new Theirs());

    @Test
    void bothLibrariesWriteTheSameBytesAndReadTheSameFieldsInEveryVersion() {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Console.print(String.format("Differential test: seed %d (-Drivulet.seed=...)", seed));
        int versions = 0;
        int apiVersions = 0;
        int trees = 0;
        for (MessageSpec message : Schemas.generated()) {
            for (int v = message.root().versions().low();
                    v <= message.root().versions().high();
                    v++) {
                trees += checkVersion(message, v, seed);
                versions++;
                apiVersions += message.apiKey() < 0 ? 0 : 1;
            }
        }
        Console.print(String.format(
                "Differential test: %d message-versions of requests and responses, %d with headers and data;"
                        + " %d messages",
                apiVersions, versions, trees));
        assertThat(apiVersions).isEqualTo(570);
        assertThat(versions).isEqualTo(582);
    }

    private int checkVersion(MessageSpec message, int version, long seed) {
        int trees = 0;
        for (RandomTrees.Mode mode : RandomTrees.Mode.values()) {
            int times = mode == RandomTrees.Mode.RANDOM ? RANDOM_TREES : 1;
            for (int i = 0; i < times; i++) {
                Random random = new Random(seed + 31L * version + i);
                Map<String, Object> tree = new RandomTrees(message, version, mode, random).message();
                comparison.check(message, version, tree);
                trees++;
            }
        }
        return trees;
    }

    @Test
    void whatIsNotGeneratedIsNotForClients() {
        List<MessageSpec> all = Schemas.all();
        List<MessageSpec> apis = all.stream().filter(Schemas::isOfAnApi).toList();
        Set<String> left = apis.stream()
                .filter(message -> !Schemas.isGenerated(message))
                .map(MessageSpec::name)
                .collect(Collectors.toCollection(TreeSet::new));
        int total = apis.stream().mapToInt(DifferentialTest::versionCount).sum();
        Console.print(String.format(
                "%d schemas, %d message-versions of requests and responses. Not generated: %s",
                all.size(), total, left));
        assertThat(all).hasSize(219);
        assertThat(total).isEqualTo(618);
        assertThat(left).hasSize(32);
        Set<Integer> leftKeys = apis.stream()
                .filter(message -> left.contains(message.name()))
                .map(MessageSpec::apiKey)
                .collect(Collectors.toSet());
        assertThat(apis)
                .noneMatch(message -> leftKeys.contains(message.apiKey())
                        && message.listeners().contains("broker"));
    }

    private static int versionCount(MessageSpec message) {
        return message.root().versions().high() - message.root().versions().low() + 1;
    }

    /** The other tests use the fields that our reader finds in the schema, so it must find all of them. */
    @Test
    void theSchemasAreReadWithAllTheirFields() {
        for (MessageSpec message : Schemas.generated()) {
            assertFields(Schemas.theirs(message), message.root());
            for (StructSpec struct : message.structs().values()) {
                assertFields(Schemas.nested(Schemas.theirs(message), struct.name()), struct);
            }
        }
    }

    private static void assertFields(Class<?> theirs, StructSpec struct) {
        Set<String> fields = Arrays.stream(theirs.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .map(Field::getName)
                .filter(name -> !Set.of("_unknownTaggedFields", "next", "prev").contains(name))
                .collect(Collectors.toSet());
        assertThat(struct.fields().stream().map(FieldSpec::name))
                .as(struct.path())
                .containsExactlyInAnyOrderElementsOf(fields);
    }

    /** The reader and the writer agree, but both are wrong. */
    @Test
    void twoFieldsThatAreSwappedInBothDirectionsAreFound() {
        MessageSpec message = Schemas.generated().stream()
                .filter(spec -> spec.name().equals("ListOffsetsResponse"))
                .findFirst()
                .orElseThrow();
        Library swapped = new Ours() {
            @Override
            String setterName(String field) {
                return field.equals("timestamp") ? "offset" : field.equals("offset") ? "timestamp" : field;
            }

            @Override
            String getterName(String field) {
                return setterName(field);
            }
        };
        Map<String, Object> partition = Map.of("partitionIndex", 1L, "timestamp", 2L, "offset", 3L);
        Map<String, Object> topic = Map.of("name", "t", "partitions", List.of(partition));
        Map<String, Object> tree = Map.of("topics", List.of(topic));
        byte[] bytes = swapped.write(swapped.build(message, tree), 7);
        assertThat(swapped.tree(message, swapped.read(message, bytes, 7)))
                .isEqualTo(swapped.tree(message, swapped.build(message, tree)));
        Comparison broken = new Comparison(swapped, new Theirs());
        assertThatThrownBy(() -> broken.check(message, 7, tree)).isInstanceOf(AssertionError.class);
        comparison.check(message, 7, tree);
    }
}
