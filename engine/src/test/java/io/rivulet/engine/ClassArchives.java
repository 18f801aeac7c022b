package io.rivulet.engine;

import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Utils;

/**
 * Makes archives of parsed classes for the engines and for the brokers in a cluster that tests start: a start takes two
 * thirds of its processor time. Static ones, because a dynamic one leaves out picocli's old class files.
 */
public final class ClassArchives {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final Path BROKER = HOME.resolve("broker").resolve("target");
    private static final Path CLUSTER = HOME.resolve("cluster").resolve("target");
    private static final Path ENGINE = HOME.resolve("engine").resolve("target");

    private static final Path OF_ENGINES = ENGINE.resolve("tests.jsa");
    private static final Path OF_BROKERS = CLUSTER.resolve("tests.jsa");

    private ClassArchives() {}

    /** The jars of an engine, as bin/rivulet has them. */
    static String engine() throws IOException {
        return ENGINE.resolve("rivulet-engine.jar") + ":"
                + Files.readString(ENGINE.resolve("classpath")).strip();
    }

    /** The jars of a broker in a cluster, as bin/rivulet has them. */
    static String broker() {
        return BROKER.resolve("rivulet.jar") + ":" + CLUSTER.resolve("rivulet-cluster.jar") + ":"
                + CLUSTER.resolve("lib") + "/*";
    }

    /** Options of an engine. An archive that is not there, or not of these jars and this Java, is ignored. */
    static List<String> ofEngines() {
        return List.of(option(OF_ENGINES), "-Xlog:cds*=off", "-Xlog:class+path=off");
    }

    /** For bin/rivulet, which has the other options. */
    static String ofBrokers() {
        return option(OF_BROKERS);
    }

    private static String option(Path archive) {
        return "-XX:SharedArchiveFile=" + archive;
    }

    /** Without arguments. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path classes = ENGINE.resolve("tests.classes");
        listClasses(classes);
        archive(engine(), classes, OF_ENGINES);
        Path alone = BROKER.resolve("tests.classes");
        if (Files.exists(alone)) {
            List<String> both = new ArrayList<>(Files.readAllLines(alone));
            both.addAll(Files.readAllLines(classes));
            archive(broker(), Files.write(CLUSTER.resolve("tests.classes"), both), OF_BROKERS);
        }
    }

    /** Starts an engine and ends it. */
    private static void listClasses(Path classes) throws IOException, InterruptedException {
        Path data = Files.createTempDirectory(ENGINE, "archived");
        List<String> command = List.of(
                ChildProcess.java(),
                "-XX:DumpLoadedClassList=" + classes,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.io=ALL-UNNAMED",
                "-cp",
                engine(),
                EngineCommand.class.getName(),
                "--data=" + data,
                "--registry=localhost:" + Ports.free(),
                "--id=1",
                "--bookie-port=" + Ports.free());
        try (ChildProcess engine = ChildProcess.start(data.resolve("log"), Map.of(), command)) {
            engine.awaitOutput("Bookie - ready");
            engine.terminate();
            engine.awaitEnd();
        }
        Utils.delete(data.toFile());
    }

    private static void archive(String jars, Path classes, Path archive) throws IOException, InterruptedException {
        Path log = archive.resolveSibling("tests.jsa.log");
        Process dump = new ProcessBuilder(
                        ChildProcess.java(),
                        "-Xshare:dump",
                        "-XX:+UseSerialGC",
                        "-XX:SharedClassListFile=" + classes,
                        "-XX:SharedArchiveFile=" + archive,
                        "-cp",
                        jars)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (dump.waitFor() != 0) {
            throw new IOException("no archive of classes: " + Files.readString(log));
        }
    }
}
