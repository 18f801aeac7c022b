/**
 * A million queues in a broker of its own process: created, filled, restarted after a kill, read back, read cold, and
 * served to Java clients. Enters: a command. Leaves: figures with their goals.
 *
 * <p>Threads: phases run on the command's thread, each load on its own.
 */
@NullMarked
package io.rivulet.bench.million;

import org.jspecify.annotations.NullMarked;
