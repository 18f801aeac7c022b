package io.rivulet.prove.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A member of ZooKeeper or a bookie in its own process, as of {@code bin/rivulet engine}. Owned by: one thread. */
public final class EngineProcess extends ChildProcess {
    private static final String BOOKIE_READY = "Bookie - ready";
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Not less than two ticks of the member. A bookie that was killed can't come back before it. */
    private static final int SESSION_MILLIS = 3_000;

    private final int port;
    private final boolean isBookie;

    private EngineProcess(Process process, Path err, int port, boolean isBookie) {
        super(process, err);
        this.port = port;
        this.isBookie = isBookie;
    }

    /** Starts the only member of ZooKeeper, and does not wait. */
    public static EngineProcess keeper(Path directory, int port) throws IOException {
        return start(directory, port, false, List.of("--keeper", "--registry=localhost:" + port));
    }

    /** Starts a bookie, and does not wait. */
    public static EngineProcess bookie(Path directory, int port, int keeperPort) throws IOException {
        return start(
                directory,
                port,
                true,
                List.of("--bookie", "--registry=localhost:" + keeperPort, "--bookie-port=" + port));
    }

    private static EngineProcess start(Path directory, int port, boolean isBookie, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                javaProgram("java"),
                "-Xmx192m",
                "-XX:MaxDirectMemorySize=192m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dzookeeper.forceSync=no", // a process that is killed leaves what it has written
                "-Dorg.apache.bookkeeper.conf.readsystemproperties=true",
                "-DzkTimeout=" + SESSION_MILLIS,
                "--add-opens=java.base/java.io=ALL-UNNAMED",
                // an archive that is not there, or not of these jars and this Java, is ignored
                "-XX:SharedArchiveFile=" + built("engine", "target", "tests.jsa"),
                "-Xlog:cds*=off",
                "-Xlog:class+path=off",
                "-cp",
                built("engine", "target", "rivulet-engine.jar") + ":"
                        + Files.readString(built("engine", "target", "classpath"))
                                .strip(),
                "io.rivulet.engine.EngineCommand",
                "--id=1",
                "--data=" + directory));
        command.addAll(arguments);
        Path err = Files.createTempFile(Files.createDirectories(directory), "engine", ".err");
        return new EngineProcess(
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(err.toFile())
                        .start(),
                err,
                port,
                isBookie);
    }

    /** Waits until it serves. */
    public void awaitReady() throws IOException {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!isReady()) {
            if (!isAlive() || System.nanoTime() - endNanos > 0) {
                throw new IOException("an engine is not ready: " + err());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private boolean isReady() throws IOException {
        if (isBookie) {
            return err().contains(BOOKIE_READY);
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
