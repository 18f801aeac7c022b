/**
 * Measures the message codec beside that of kafka-clients, in one run on one machine. Results and command:
 * bench/results/protocol-jmh.md.
 */
@NullMarked
package io.rivulet.bench.protocol;

import org.jspecify.annotations.NullMarked;
