/**
 * Attacks on a running broker, beside a good client.
 *
 * <p>Enters: a duration and the attacks. Leaves: latencies of the good client, the number of lost records, and the
 * threads of the broker that have ended.
 *
 * <p>Threads: one for each attack, two for the good client.
 */
@NullMarked
package io.rivulet.bench.hostile;

import org.jspecify.annotations.NullMarked;
