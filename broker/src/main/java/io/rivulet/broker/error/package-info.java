/**
 * What goes wrong for a client, in Kafka's codes. Enters: failures of handlers, store and batch checks. Leaves: an error code and,
 * where the API has room for it, a sentence. The mapping stands in {@link io.rivulet.broker.error.ErrorMapper} and nowhere else.
 *
 * <p>Stateless; any thread.
 */
@NullMarked
package io.rivulet.broker.error;

import org.jspecify.annotations.NullMarked;
