package io.rivulet.bench.load;

/**
 * The shape of a produce load.
 *
 * @param partitions of the topic; requests visit them in turn
 * @param batchesPerRequest each goes to another partition
 */
public record LoadShape(int partitions, int batchesPerRequest, int recordsPerBatch) {}
