package io.rivulet.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a process of a test runs. Immutable.
 *
 * @param host how others reach it
 * @param enter what comes before the command of a process, so that it runs there
 */
record Machine(String host, List<String> enter) {
    /** The one that runs the test. */
    static Machine local(String host) {
        return new Machine(host, List.of());
    }

    List<String> command(List<String> command) {
        List<String> all = new ArrayList<>(enter);
        all.addAll(command);
        return all;
    }
}
