/**
 * Groups of the streams protocol (KIP-1071): members are threads of an application of Kafka Streams. The first one
 * sends the topology, the broker derives tasks from it and assigns them, and each member moves to its new tasks at its
 * own pace.
 *
 * <p>Enters: heartbeats, changed topics, timers. Leaves: responses, internal topics to create, and changes for the log.
 *
 * <p>Thread: the coordinator thread.
 */
@NullMarked
package io.rivulet.broker.group.streams;

import org.jspecify.annotations.NullMarked;
