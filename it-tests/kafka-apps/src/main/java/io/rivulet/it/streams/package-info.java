/**
 * Applications on Kafka Streams, which run in their own process. Enters: topics that a test writes. Leaves: topics that
 * it reads. Threads: those of Kafka Streams.
 */
@NullMarked
package io.rivulet.it.streams;

import org.jspecify.annotations.NullMarked;
