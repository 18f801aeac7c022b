package io.rivulet.prove.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.prove.Check;
import io.rivulet.prove.Row;
import io.rivulet.prove.Runner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The check of damaged directories holds, and catches bugs. {@code -Drivulet.seed=N} repeats it. */
final class DamageCheckIT {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime() >>> 20);
    private static final int MOST_POINTS = 40;

    @TempDir
    private static Path directory;

    private static Path scratch;
    private static Sample sample;

    @BeforeAll
    static void makeSample() throws Exception {
        scratch = Files.createDirectory(directory.resolve("scratch"));
        sample = Sample.make(scratch, Sample.SMALL_SEGMENT_BYTES);
    }

    @Test
    void noAlteredByteIsServedAndNothingIsMissingInSilence() throws Exception {
        DamageCheck check = new DamageCheck();

        Row row = new Runner(Path.of("target", "prove-failures"))
                .run(check, SEED, check.points(), Duration.ofMinutes(20));

        assertThat(row.failures()).as("seed %d", SEED).isEmpty();
        assertThat(row.points()).isGreaterThanOrEqualTo(check.points());
    }

    @ParameterizedTest
    @EnumSource
    void aBrokerThatServesSomethingWrongIsCaught(PlantedBug bug) throws Exception {
        assertThat(violationsOf(bug.in(Opened::byBroker))).isNotEmpty();
    }

    @Test
    void aDirectoryWithAFindingIsKeptAsItWasDamaged() throws Exception {
        List<Map<String, String>> opened = new ArrayList<>();
        DamageCheck check = new DamageCheck((at, segmentBytes, truth) -> {
            opened.add(Tree.contents(at));
            return new Opened(new IllegalStateException("a broker with a bug"), null);
        });
        Path kept = Files.createDirectory(directory.resolve("with-findings"));

        assertThat(check.on(sample, scratch, kept).run(SEED).violations()).isNotEmpty();

        assertThat(Tree.contents(kept.resolve("damage-" + SEED).resolve("damaged")))
                .isEqualTo(opened.get(0));
    }

    @ParameterizedTest
    @EnumSource
    void aRefusalThatIsWrongIsCaught(PlantedBug.Refusal bug) throws Exception {
        assertThat(violationsOf(bug)).isNotEmpty();
    }

    @Test
    void aRepairThatLosesWithoutAWordIsCaught() throws Exception {
        Path point = copy("repair");
        Files.delete(point.resolve("log").resolve("manifest.snapshot"));
        Opened.Opener losing = (at, segmentBytes, truth) -> {
            Opened opened = Opened.byBroker(at, segmentBytes, truth);
            return opened.served() == null
                    ? opened
                    : PlantedBug.SKIPS_A_RECORD.in((a, b, c) -> opened).open(at, segmentBytes, truth);
        };

        assertThat(new DamagePoint(point, sample.segmentBytes(), sample.closed().truth(), losing)
                        .run(List.of("log/manifest.snapshot")))
                .anyMatch(line -> line.contains("after a repair with exit code 0"));
    }

    @Test
    void aBrokerThatDoesNotVerifyBlocksIsCaught() throws Exception {
        Path point = copy("blocks");
        MendedDamage.blocks(point);
        assertThat(caught(point)).isTrue();
    }

    @Test
    void aBrokerThatDoesNotVerifyTheLogIsCaught() throws Exception {
        Path point = copy("groups");
        MendedDamage.groups(point);
        assertThat(caught(point)).isTrue();
    }

    /** Many bytes are checked when they are parsed; the others are caught. */
    @ParameterizedTest
    @ValueSource(strings = {"view-1", "view-3", "view-4", "view-5", "view-6", "view-8", "view-9", "view-10", "queues"})
    void aBrokerThatDoesNotVerifySnapshotsIsCaught(String kind) throws Exception {
        int caught = 0;
        for (int fromEnd = 1; fromEnd < MOST_POINTS && caught == 0; fromEnd++) {
            Path point = copy(kind + "-" + fromEnd);
            MendedDamage.snapshot(point, kind, fromEnd);
            caught += caught(point) ? 1 : 0;
        }
        assertThat(caught).isPositive();
    }

    @Test
    void anUndamagedDirectoryIsNoViolation() throws Exception {
        assertThat(new DamagePoint(
                                copy("sound"),
                                sample.segmentBytes(),
                                sample.closed().truth(),
                                Opened::byBroker)
                        .run(List.of()))
                .isEmpty();
    }

    private static Path copy(String name) throws IOException {
        Path point = scratch.resolve(name);
        Tree.copy(sample.closed().directory(), point);
        return point;
    }

    /** An answer that a client can't read is caught as well. */
    private static boolean caught(Path point) {
        try {
            return !new DamagePoint(
                            point, sample.segmentBytes(), sample.closed().truth(), Opened::byBroker)
                    .run(List.of())
                    .isEmpty();
        } catch (IOException | RuntimeException e) {
            return true;
        }
    }

    /** Runs points with the bug until one is caught. */
    private static List<String> violationsOf(Opened.Opener bug) throws Exception {
        List<String> violations = new ArrayList<>();
        DamageCheck check = new DamageCheck(bug);
        for (int i = 0; i < MOST_POINTS && violations.isEmpty(); i++) {
            Check.Found found =
                    check.on(sample, scratch, directory.resolve("kept")).run(SEED + i);
            violations.addAll(found.violations());
        }
        return violations;
    }
}
