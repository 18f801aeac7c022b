/**
 * A small client for the command line: one connection, one request after another, to one broker. Enters: a request of the protocol.
 * Leaves: its answer, in the newest version that both sides know, or a {@link io.rivulet.broker.client.ClientException}.
 *
 * <p>It asks the address that it was given and nobody else, so it reaches a broker that advertises another one.
 *
 * <p>Thread: the caller's, which blocks.
 */
@NullMarked
package io.rivulet.broker.client;

import org.jspecify.annotations.NullMarked;
