package io.rivulet.bench.load;

/**
 * What a produce load looks like.
 *
 * @param partitions of the topic; each request goes to the next of them
 * @param batchesPerRequest one for each of so many partitions
 */
public record LoadShape(int partitions, int batchesPerRequest, int recordsPerBatch) {}
