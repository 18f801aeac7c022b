package io.rivulet.store.writer;

/**
 * Immutable.
 *
 * @param timestampBase the store's constant that timestamps are stored relative to
 * @param maxBodyBytes what the body of a group holds
 * @param maxCommands how many commands may wait
 * @param maxHeldBytes how many bytes of payload may wait
 */
public record LogWriterConfig(long timestampBase, int maxBodyBytes, int maxCommands, long maxHeldBytes) {}
