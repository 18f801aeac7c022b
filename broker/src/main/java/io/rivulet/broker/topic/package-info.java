/**
 * Topics: names, ids, partitions and configs.
 *
 * <p>Enters: entries of the commit log, which make the {@link io.rivulet.broker.topic.TopicCatalogue}; and requests of
 * clients, which {@link io.rivulet.broker.topic.TopicAdmin} checks and turns into such entries. Leaves: {@link
 * io.rivulet.broker.topic.Topic}s by name or id.
 *
 * <p>Threads: the log writer changes the catalogue, any thread reads it.
 */
@NullMarked
package io.rivulet.broker.topic;

import org.jspecify.annotations.NullMarked;
