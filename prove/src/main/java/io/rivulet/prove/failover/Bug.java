package io.rivulet.prove.failover;

import java.util.List;

/**
 * What tests plant in the brokers. Immutable.
 *
 * @param java options of the JVM
 * @param classes a class path that replaces classes of the module cluster
 */
record Bug(List<String> java, String classes) {
    static final Bug NONE = new Bug(List.of(), "");
}
