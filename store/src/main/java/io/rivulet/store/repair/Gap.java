package io.rivulet.store.repair;

/**
 * Offsets of a queue that should be in block files and are in none.
 *
 * @param fileNumber of the file with the queue's next block; 0 if there is none
 */
record Gap(int queueId, long from, long to, long fileNumber) {}
