/**
 * Attacks on a running broker beside a client that behaves.
 *
 * <p>In: how long, and which attacks. Out: how many attacks there were, what the good client noticed, whether a record
 * was lost, and which threads of the broker ended.
 *
 * <p>Threads: one for each attack, two for the good client.
 */
@NullMarked
package io.rivulet.bench.hostile;

import org.jspecify.annotations.NullMarked;
