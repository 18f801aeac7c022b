/**
 * Failures as Kafka's error codes. Enters: failures of handlers, store and batch checks. Leaves: an error code, and a
 * message if the API has a field for it. {@link io.rivulet.broker.error.ErrorMapper} is the only mapping.
 *
 * <p>Stateless; any thread.
 */
@NullMarked
package io.rivulet.broker.error;

import org.jspecify.annotations.NullMarked;
