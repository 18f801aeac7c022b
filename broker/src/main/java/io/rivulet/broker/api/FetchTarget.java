package io.rivulet.broker.api;

import io.rivulet.protocol.message.FetchResponse.PartitionData;

/**
 * One partition of a fetch, and the place of its answer. Owned by: whoever has the fetch.
 *
 * @param queueId none if the answer is an error already
 */
record FetchTarget(int queueId, long offset, int maxBytes, PartitionData answer) {}
