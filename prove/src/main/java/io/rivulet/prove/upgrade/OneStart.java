package io.rivulet.prove.upgrade;

import io.rivulet.prove.damage.SmallBroker;
import java.io.IOException;
import java.nio.file.Path;

/** A start in a process of its own, which can be killed in its midst. Stateless. */
final class OneStart {
    private OneStart() {}

    /** Arguments: the data directory, and by how much the clock is behind. */
    public static void main(String[] args) throws IOException, InterruptedException {
        long behind = Long.parseLong(args[1]);
        SmallBroker broker = SmallBroker.start(
                Path.of(args[0]), ArchiveMaker.SEGMENT_BYTES, () -> System.currentTimeMillis() - behind);
        Thread.currentThread().join(); // until it is killed
        broker.close();
    }

    /** Starts it. */
    static Process begin(Path directory, long behindMillis) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OneStart.class.getName(),
                        directory.toString(),
                        String.valueOf(behindMillis))
                .redirectErrorStream(true)
                .start();
    }
}
