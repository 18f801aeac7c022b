/** Benchmarks on the command line. Their results are in bench/results, with the machine and the command. */
@NullMarked
package io.rivulet.bench;

import org.jspecify.annotations.NullMarked;
