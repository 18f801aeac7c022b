/**
 * The byte stream of a queue: one record for each batch. It is encoded once; log entry, tail and block have the same
 * bytes.
 *
 * <p>Enters: opaque payloads with their record count and timestamp, or bytes from memory and disk that may be torn.
 * Leaves: encoded records, or the fields of a record that were checked against the bounds of its buffer.
 *
 * <p>Thread: none of its own. Encoders are static; a {@link io.rivulet.store.stream.StreamCursor} belongs to its
 * caller.
 */
@NullMarked
package io.rivulet.store.stream;

import org.jspecify.annotations.NullMarked;
