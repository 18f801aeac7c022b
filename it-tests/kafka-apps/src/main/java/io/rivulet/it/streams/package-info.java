/**
 * Applications that run in a process of their own beside the broker under test, on the libraries of Kafka Streams. What enters: topics
 * that a test fills. What leaves: topics that it reads. Threads: those of Kafka Streams.
 */
@NullMarked
package io.rivulet.it.streams;

import org.jspecify.annotations.NullMarked;
