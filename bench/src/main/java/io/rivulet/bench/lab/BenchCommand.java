package io.rivulet.bench.lab;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A benchmark on the command line. Owned by: the command's thread. */
public abstract class BenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /**
     * Returns the elements whose names begin with one of the prefixes.
     *
     * @param prefixes null for all elements
     */
    protected final <T> List<T> select(List<T> all, Function<T, String> name, @Nullable List<String> prefixes) {
        if (prefixes == null) {
            return all;
        }
        for (String prefix : prefixes) {
            if (all.stream().noneMatch(one -> name.apply(one).startsWith(prefix))) {
                throw new ParameterException(spec.commandLine(), "nothing is named " + prefix + ": see --list");
            }
        }
        return all.stream()
                .filter(one -> prefixes.stream().anyMatch(name.apply(one)::startsWith))
                .toList();
    }
}
