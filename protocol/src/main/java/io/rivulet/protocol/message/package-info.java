/**
 * Kafka's messages: one class for each request, response and header, generated at build time from the schemas in the
 * kafka-clients jar (docs/decisions/0003). Only this page is written by hand.
 *
 * <p>Enters: a frame and a version. Leaves: objects with fluent setters. Lists and arrays are not copied; a message
 * belongs to one thread at a time. A decoded message borrows its frame if it has {@link
 * io.rivulet.protocol.wire.Records}.
 */
@NullMarked
package io.rivulet.protocol.message;

import org.jspecify.annotations.NullMarked;
