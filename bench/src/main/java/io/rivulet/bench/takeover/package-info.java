/**
 * Takeovers: three brokers with rivulet.cluster.failover on three engines, whose owner is killed or stopped again and
 * again under a light load.
 *
 * <p>Enters: a number of queues, kills and stops. Leaves: how long each step of the takeovers took.
 *
 * <p>Threads: one sends the light load; the command's thread does the rest.
 */
@NullMarked
package io.rivulet.bench.takeover;

import org.jspecify.annotations.NullMarked;
