/**
 * The broker as a process of its own, from the jar.
 *
 * <p>Enters: options of the JVM, keys of the configuration. Leaves: its port, its exit code, its log, its threads and
 * its memory.
 *
 * <p>Thread: the caller's.
 */
@NullMarked
package io.rivulet.prove.process;

import org.jspecify.annotations.NullMarked;
