/**
 * The internal topics, which show the state of coordinators as Kafka's records.
 *
 * <p>Enters: requests that read such a topic, and changes of the state while it is read. Leaves: batches, appended to
 * the queues of the topic. Nothing is written without a reader.
 *
 * <p>Threads: the coordinator thread writes; any thread announces that it reads.
 */
@NullMarked
package io.rivulet.broker.internal;

import org.jspecify.annotations.NullMarked;
