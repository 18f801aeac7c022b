/**
 * The messages that clients and brokers exchange: one class for each request, response and header,
 * generated at build time from the schemas in the kafka-clients jar (docs/decisions/0003). Nothing but
 * this page is written by hand.
 *
 * <p>In: a frame and a version. Out: plain objects with fluent setters. Lists and arrays are taken over,
 * never copied; a message belongs to one thread at a time. A decoded message borrows its frame where it
 * holds {@link io.rivulet.protocol.wire.Records}.
 */
@NullMarked
package io.rivulet.protocol.message;

import org.jspecify.annotations.NullMarked;
