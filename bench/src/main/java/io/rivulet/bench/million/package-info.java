/**
 * A million queues end to end, in Rivulet's own process and through Kafka's protocol: created, filled, killed, opened
 * again, read back, read cold, and served to Java clients. A command enters; figures leave, each with what was wanted
 * of it.
 *
 * <p>Phases run on the command's thread, one broker at a time; load runs on threads of its own.
 */
@NullMarked
package io.rivulet.bench.million;

import org.jspecify.annotations.NullMarked;
