package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A benchmark that starts brokers. Owned by: the command's thread. */
public abstract class LabCommand extends BenchCommand {
    @Option(
            names = "--rivulet-opts",
            defaultValue = "",
            description = "more options for Rivulet's virtual machine, for example of a profiler")
    private String rivuletOptions = "";

    @Option(
            names = "--rivulet-override",
            paramLabel = "KEY=VALUE",
            description = "a key of Rivulet's configuration with its value; can be repeated")
    private Map<String, String> rivuletOverrides = new TreeMap<>();

    @Option(
            names = "--directory",
            description = "directory for the brokers' data; it is kept (default: a temporary directory)")
    private @Nullable Path directory;

    protected final String rivuletOptions() {
        return rivuletOptions;
    }

    protected final Map<String, String> rivuletOverrides() {
        return rivuletOverrides;
    }

    protected final DataDirectory data() throws IOException {
        return DataDirectory.of(directory, directory != null);
    }
}
