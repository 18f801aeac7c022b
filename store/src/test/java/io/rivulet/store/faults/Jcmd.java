package io.rivulet.store.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Asks the virtual machine of another process. Stateless. */
public final class Jcmd {
    private Jcmd() {}

    /**
     * Returns what jcmd prints.
     *
     * @param order such as {@code Thread.print}
     * @throws IOException if jcmd fails
     */
    public static String ask(long pid, String order) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        Long.toString(pid),
                        order)
                .redirectErrorStream(true)
                .start();
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (jcmd.waitFor() != 0) {
            throw new IOException("jcmd " + order + ": " + said);
        }
        return said;
    }
}
