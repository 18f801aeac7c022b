package io.rivulet.store.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.faults.FaultShim;
import io.rivulet.store.faults.GermanMachine;
import io.rivulet.store.io.DiskContract.Clause;
import io.rivulet.store.io.DiskContract.Faults;
import io.rivulet.store.io.FaultyDisk.Cause;
import io.rivulet.store.io.FaultyDisk.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** {@link DiskContract} on the simulated disk, and on the real one in a process with a preloaded shim. */
class DiskContractTest {
    private static final int PATIENCE_SECONDS = 60;

    @TempDir
    private Path scratch;

    @TestFactory
    Stream<DynamicTest> theSimulatedDiskKeepsTheContract() {
        return DiskContract.clauses().stream()
                .map(clause -> DynamicTest.dynamicTest(clause.name(), () -> {
                    FaultyDisk disk = new FaultyDisk(new CrashDisk());
                    clause.body().check(disk, new Faults() {
                        @Override
                        public void fail(Op op, Cause cause) {
                            disk.fail(op, cause);
                        }

                        @Override
                        public void heal() {
                            disk.heal();
                        }
                    });
                }));
    }

    @TestFactory
    Stream<DynamicTest> theRealDiskKeepsTheContract() throws Exception {
        FaultShim.require();
        return onTheRealDisk(Map.of("LC_ALL", "C.UTF-8"));
    }

    @TestFactory
    Stream<DynamicTest> theRealDiskKeepsTheContractInGerman() throws Exception {
        FaultShim.require();
        GermanMachine.require();
        return onTheRealDisk(GermanMachine.environment(scratch));
    }

    private Stream<DynamicTest> onTheRealDisk(Map<String, String> language) throws Exception {
        Path below = Files.createDirectories(scratch.resolve("below"));
        Map<String, String> environment = new HashMap<>(language);
        environment.putAll(FaultShim.compile(scratch, below).environment());
        Map<String, String> outcomes = run(environment, below);
        return DiskContract.clauses().stream()
                .map(Clause::name)
                .map(name -> DynamicTest.dynamicTest(
                        name, () -> assertThat(outcomes.get(name)).isEqualTo(RealDiskContract.KEPT)));
    }

    private Map<String, String> run(Map<String, String> environment, Path below)
            throws IOException, InterruptedException {
        Path said = scratch.resolve("said");
        Path outcomesFile = scratch.resolve("outcomes");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RealDiskContract.class.getName(),
                        below.toString(),
                        outcomesFile.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended && process.exitValue() == 0)
                .as("the process has ended well; it said %s", Files.readString(said))
                .isTrue();
        Map<String, String> outcomes = new TreeMap<>();
        for (String line : Files.readAllLines(outcomesFile)) {
            int at = line.indexOf(RealDiskContract.SEPARATOR);
            if (at > 0) {
                outcomes.put(line.substring(0, at), line.substring(at + RealDiskContract.SEPARATOR.length()));
            }
        }
        return outcomes;
    }
}
