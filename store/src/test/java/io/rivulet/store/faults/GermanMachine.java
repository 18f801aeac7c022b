package io.rivulet.store.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A machine on which the C library has German error texts. */
public final class GermanMachine {
    private static final Path CATALOG = Path.of("/usr/share/locale/de/LC_MESSAGES/libc.mo");
    private static final String LOCALE = "de_DE.UTF-8";

    private GermanMachine() {}

    /** Skips the test if there is no such machine; with CI=true the test fails instead. */
    public static void require() {
        Tools.require("localedef");
        Tools.require(Files.exists(CATALOG), "the package locales is installed");
    }

    /** The environment of a process on such a machine. */
    public static Map<String, String> environment(Path scratch) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(scratch, "locales");
        Tools.run(
                folder,
                "localedef",
                "-i",
                "de_DE",
                "-f",
                "UTF-8",
                folder.resolve(LOCALE).toString());
        return Map.of("LOCPATH", folder.toString(), "LC_ALL", LOCALE);
    }
}
