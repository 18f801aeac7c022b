/**
 * The broker as one object: {@link io.rivulet.broker.Broker} puts store, topics, handlers and server together, and takes them apart.
 *
 * <p>Enters: a configuration. Leaves: a broker that is ready, with the addresses it listens on.
 *
 * <p>Thread: the one that starts or closes it.
 */
@NullMarked
package io.rivulet.broker;

import org.jspecify.annotations.NullMarked;
