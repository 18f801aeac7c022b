/**
 * The five compression codecs of record batches, with Kafka's framings.
 *
 * <p>Enters: the compressed bytes after a batch's header. Leaves: a stream of decompressed bytes that takes a constant
 * amount of memory and ends at the caller's limit; or compressed bytes for a new batch. It knows nothing of records.
 *
 * <p>Threads: a decompressor belongs to one thread, which uses it for many batches.
 */
@NullMarked
package io.rivulet.protocol.record.codec;

import org.jspecify.annotations.NullMarked;
