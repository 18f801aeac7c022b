package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Asks a virtual machine about itself. Stateless. */
final class Jcmd {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +[0-9]+ +([0-9]+)");

    /** A Java thread has a number behind its name; the collector's threads have none. */
    private static final Pattern THREAD = Pattern.compile("(?m)^\"(.+)\" #[0-9]+ ");

    private Jcmd() {}

    private static String ask(long pid, String question) throws IOException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(pid),
                        question)
                .redirectErrorStream(true)
                .start();
        return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Names of all threads but those of the compilers, which come and go. */
    static Set<String> threadNames(long pid) throws IOException {
        return THREAD.matcher(ask(pid, "Thread.print"))
                .results()
                .map(thread -> thread.group(1))
                .filter(name -> !name.contains("CompilerThread"))
                .collect(Collectors.toSet());
    }

    /** Bytes of all objects that can be reached; the histogram collects the others first. */
    static long liveHeapBytes(long pid) throws IOException {
        String output = ask(pid, "GC.class_histogram");
        Matcher total = TOTAL.matcher(output);
        if (!total.find()) {
            throw new IOException(
                    "jcmd printed no histogram: " + output.lines().findFirst().orElse("no output"));
        }
        return Long.parseLong(total.group(1));
    }
}
