/**
 * The five compression codecs of record batches, in Kafka's framings.
 *
 * <p>In: the compressed bytes after a batch's header. Out: a stream of decompressed bytes that costs a constant amount
 * of memory and stops at the caller's limit, or, for building, compressed bytes. Knows nothing of records.
 *
 * <p>Threads: a decompressor belongs to one thread, and is used again from batch to batch.
 */
@NullMarked
package io.rivulet.protocol.record.codec;

import org.jspecify.annotations.NullMarked;
