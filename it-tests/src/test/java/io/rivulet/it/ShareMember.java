package io.rivulet.it;

import io.rivulet.it.ShareHistory.Answer;
import io.rivulet.it.ShareHistory.Delivery;
import io.rivulet.it.ShareHistory.Outcome;
import io.rivulet.it.ShareHistory.Place;
import io.rivulet.it.ShareHistory.Span;
import io.rivulet.it.ShareHistory.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData.AcknowledgePartition;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData.AcknowledgeTopic;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchRequestData.AcknowledgementBatch;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchPartition;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchTopic;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData.AcquiredRecords;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;

/**
 * A share session with Kafka's own messages on one connection: fetches records of all partitions of a topic, says what
 * becomes of them, and writes both into the history.
 *
 * <p>Owned by: one thread.
 */
final class ShareMember implements AutoCloseable {
    private static final short VERSION = 2;
    private static final int FETCH_BYTES = 1 << 20;
    private static final int FINAL_EPOCH = -1;

    private final Wire wire;
    private final String group;
    private final Uuid topic;
    private final int partitions;
    private final ShareHistory history;
    private final int number;
    private final String id = Uuid.randomUuid().toString();
    /** Offsets that were acquired and have no record, such as markers of transactions. */
    private final List<Place> gaps = new ArrayList<>();

    private int epoch;

    /** @param number distinguishes members in the history; each session has its own */
    ShareMember(int port, String group, Uuid topic, int partitions, ShareHistory history, int number)
            throws IOException {
        this.wire = new Wire(port);
        this.group = group;
        this.topic = topic;
        this.partitions = partitions;
        this.history = history;
        this.number = number;
        EmptyShareGroup.create(wire, group);
    }

    /** Acquires records, and says with the same request what became of others. */
    List<Delivery> fetch(int maxRecords, int maxWaitMillis, Map<Delivery, Verdict> verdicts) throws IOException {
        Map<Place, Byte> said = codes(verdicts);
        Map<Integer, FetchPartition> named = new TreeMap<>();
        if (epoch == 0) {
            IntStream.range(0, partitions).forEach(i -> named.put(i, new FetchPartition().setPartitionIndex(i)));
        }
        said.forEach((place, code) -> named.computeIfAbsent(
                        place.partition(), i -> new FetchPartition().setPartitionIndex(i))
                .acknowledgementBatches()
                .add(new AcknowledgementBatch()
                        .setFirstOffset(place.offset())
                        .setLastOffset(place.offset())
                        .setAcknowledgeTypes(List.of(code))));
        ShareFetchRequestData request = new ShareFetchRequestData()
                .setGroupId(group)
                .setMemberId(id)
                .setShareSessionEpoch(epoch++)
                .setMaxWaitMs(maxWaitMillis)
                .setMinBytes(1)
                .setMaxBytes(FETCH_BYTES)
                .setMaxRecords(maxRecords)
                .setBatchSize(maxRecords);
        if (!named.isEmpty()) {
            FetchTopic one = new FetchTopic().setTopicId(topic);
            named.values().forEach(one.partitions()::add);
            request.topics().add(one);
        }
        Span begun = history.begin();
        ShareFetchResponseData response;
        try {
            response = (ShareFetchResponseData) wire.ask(ApiKeys.SHARE_FETCH, VERSION, request);
        } catch (IOException e) {
            record(verdicts, Map.of(), true, history.end(begun));
            throw e;
        }
        Span span = history.end(begun);
        require(response.errorCode(), response.errorMessage());
        Map<Integer, Short> outcomes = new HashMap<>();
        List<Delivery> received = new ArrayList<>();
        response.responses()
                .forEach(one -> one.partitions().forEach(data -> {
                    outcomes.put(data.partitionIndex(), data.acknowledgeErrorCode());
                    require(data.errorCode(), data.errorMessage());
                    take(data, span, received);
                }));
        record(verdicts, outcomes, false, span);
        return received;
    }

    private void take(PartitionData data, Span span, List<Delivery> received) {
        Map<Long, String> values = new HashMap<>();
        if (data.records() instanceof MemoryRecords records) {
            for (Record one : records.records()) {
                values.put(one.offset(), text(Objects.requireNonNull(one.value())));
            }
        }
        for (AcquiredRecords range : data.acquiredRecords()) {
            for (long offset = range.firstOffset(); offset <= range.lastOffset(); offset++) {
                Place place = new Place(data.partitionIndex(), offset);
                String value = values.get(offset);
                if (value == null) {
                    gaps.add(place);
                } else {
                    Delivery one = new Delivery(number, place, value, range.deliveryCount(), span);
                    history.delivered(one);
                    received.add(one);
                }
            }
        }
    }

    /** Says what became of the records, and waits for the response. */
    void answer(Map<Delivery, Verdict> verdicts) throws IOException {
        Map<Integer, AcknowledgePartition> named = new TreeMap<>();
        codes(verdicts)
                .forEach((place, code) -> named.computeIfAbsent(
                                place.partition(), i -> new AcknowledgePartition().setPartitionIndex(i))
                        .acknowledgementBatches()
                        .add(new ShareAcknowledgeRequestData.AcknowledgementBatch()
                                .setFirstOffset(place.offset())
                                .setLastOffset(place.offset())
                                .setAcknowledgeTypes(List.of(code))));
        AcknowledgeTopic one = new AcknowledgeTopic().setTopicId(topic);
        named.values().forEach(one.partitions()::add);
        ShareAcknowledgeRequestData request = new ShareAcknowledgeRequestData()
                .setGroupId(group)
                .setMemberId(id)
                .setShareSessionEpoch(epoch++);
        request.topics().add(one);
        Span begun = history.begin();
        ShareAcknowledgeResponseData response;
        try {
            response = (ShareAcknowledgeResponseData) wire.ask(ApiKeys.SHARE_ACKNOWLEDGE, VERSION, request);
        } catch (IOException e) {
            record(verdicts, Map.of(), true, history.end(begun));
            throw e;
        }
        Span span = history.end(begun);
        require(response.errorCode(), response.errorMessage());
        Map<Integer, Short> outcomes = new HashMap<>();
        response.responses()
                .forEach(each ->
                        each.partitions().forEach(data -> outcomes.put(data.partitionIndex(), data.errorCode())));
        record(verdicts, outcomes, false, span);
    }

    /** The broker accepts or refuses all verdicts about a partition together. */
    private void record(Map<Delivery, Verdict> verdicts, Map<Integer, Short> outcomes, boolean isUnknown, Span span) {
        verdicts.forEach((delivery, verdict) -> {
            short code = outcomes.getOrDefault(delivery.place().partition(), Errors.NONE.code());
            Outcome outcome = isUnknown ? Outcome.UNKNOWN : code == 0 ? Outcome.DONE : Outcome.REFUSED;
            history.answered(new Answer(number, delivery.place(), verdict, outcome, span));
        });
    }

    private Map<Place, Byte> codes(Map<Delivery, Verdict> verdicts) {
        Map<Place, Byte> codes = new TreeMap<>(ShareHistory.ORDER);
        verdicts.forEach((delivery, verdict) -> codes.put(delivery.place(), verdict.code));
        gaps.forEach(place -> codes.put(place, (byte) 0));
        gaps.clear();
        return codes;
    }

    /** Ends the session with a request; what it has is released. */
    void leave() throws IOException {
        Span begun = history.begin();
        try {
            ShareFetchRequestData request = new ShareFetchRequestData()
                    .setGroupId(group)
                    .setMemberId(id)
                    .setShareSessionEpoch(FINAL_EPOCH);
            wire.ask(ApiKeys.SHARE_FETCH, VERSION, request);
        } finally {
            history.left(number, history.end(begun));
        }
    }

    /** Closes the connection, without a word. */
    @Override
    public void close() throws IOException {
        history.left(number, history.end(history.begin()));
        wire.close();
    }

    static String text(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return new String(copy, StandardCharsets.UTF_8);
    }

    private static void require(short code, String message) {
        if (code != Errors.NONE.code()) {
            throw Errors.forCode(code).exception(message);
        }
    }
}
