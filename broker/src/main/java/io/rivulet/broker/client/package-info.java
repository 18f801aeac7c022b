/**
 * A small client for the command line: one connection to one broker, one request after another. Enters: a request.
 * Leaves: its response, in the newest version that both sides know, or a {@link
 * io.rivulet.broker.client.ClientException}.
 *
 * <p>It connects only to the address that it was given, so it reaches a broker that advertises another one.
 *
 * <p>Thread: the caller's, which blocks.
 */
@NullMarked
package io.rivulet.broker.client;

import org.jspecify.annotations.NullMarked;
