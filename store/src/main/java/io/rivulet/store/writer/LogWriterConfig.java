package io.rivulet.store.writer;

/**
 * The configuration of the log writer. Immutable.
 *
 * @param timestampBase timestamps are stored relative to this constant of the store
 * @param maxBodyBytes the most bytes in the body of a group
 * @param maxCommands how many commands may wait
 * @param maxHeldBytes how many bytes of payload may wait
 */
public record LogWriterConfig(long timestampBase, int maxBodyBytes, int maxCommands, long maxHeldBytes) {}
