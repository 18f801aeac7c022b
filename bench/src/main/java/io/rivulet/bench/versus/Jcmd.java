package io.rivulet.bench.versus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a virtual machine tells of itself. Stateless. */
final class Jcmd {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +[0-9]+ +([0-9]+)");

    private Jcmd() {}

    /** Bytes of all objects that can be reached; the histogram collects the others first. */
    static long liveHeapBytes(long pid) throws IOException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(pid),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher total = TOTAL.matcher(said);
        if (!total.find()) {
            throw new IOException(
                    "jcmd tells no histogram: " + said.lines().findFirst().orElse("it said nothing"));
        }
        return Long.parseLong(total.group(1));
    }
}
