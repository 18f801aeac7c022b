/**
 * The message codec against that of kafka-clients, in one run on one machine. How to run it and what came
 * out: bench/results/protocol-jmh.md.
 */
@NullMarked
package io.rivulet.bench.protocol;

import org.jspecify.annotations.NullMarked;
