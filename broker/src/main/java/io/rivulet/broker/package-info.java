/**
 * The broker as one object: {@link io.rivulet.broker.Broker} assembles store, views, APIs and server, and closes them.
 *
 * <p>Enters: a configuration. Leaves: a broker that serves clients, with the addresses it listens on.
 *
 * <p>Thread: the one that starts or closes it.
 */
@NullMarked
package io.rivulet.broker;

import org.jspecify.annotations.NullMarked;
