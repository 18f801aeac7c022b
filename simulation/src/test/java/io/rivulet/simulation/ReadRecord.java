package io.rivulet.simulation;

/**
 * A record as a consumer gets it.
 *
 * @param producer who has sent it, as its value says
 * @param number of the record, as its value says
 */
record ReadRecord(long offset, String key, String producer, long number) {}
