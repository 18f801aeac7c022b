package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.ANSWERS_COME;
import static io.rivulet.simulation.Promise.RECORDS_STAY;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.message.ProduceResponse.PartitionProduceResponse;
import io.rivulet.protocol.wire.Records;
import io.rivulet.simulation.SentBatch.Identity;
import io.rivulet.simulation.SentBatch.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A producer without transactions. An idempotent one sends again what has no answer, also to the next broker. */
final class Producer extends Client {
    static final int PRODUCE_VERSION = 11;
    private static final int INIT_VERSION = 4;
    private static final int TAKES_AN_ID_ONE_IN = 8;
    /** So that batches become files of their own. */
    private static final int HUGE_ONE_IN = 80;

    private static final int MORE_THAN_A_GROUP_BYTES = 70_000;
    /** An idempotent producer sends again what may have been stored before the last checkpoint. */
    private static final int LOSES_ANSWERS_ONE_IN = 30;

    private static final int LONGEST_REST = 60;
    private static final int MOST_IN_FLIGHT = 4;
    private static final int MOST_UNANSWERED = 4;
    private static final short OUT_OF_ORDER_SEQUENCE = 45;
    private static final short DUPLICATE_SEQUENCE = 46;
    private static final short INVALID_TIMESTAMP = 32;
    private static final long NO_ID = -1;

    private final boolean idempotent;
    /** Of an idempotent producer: what has no answer yet, in the order of sequences. */
    private final Map<PartitionLog, List<SentBatch>> unanswered = new HashMap<>();

    private final Set<SentBatch> inFlight = new HashSet<>();
    private final Map<PartitionLog, Integer> sequences = new HashMap<>();
    private long producerId = NO_ID;
    private short epoch;
    private long numbers;
    private int takenIds;
    private int connections;
    private int rest;

    Producer(World world, String name, boolean idempotent) {
        super(world, name);
        this.idempotent = idempotent;
    }

    @Override
    void connected() {
        connections++;
        inFlight.clear();
    }

    @Override
    void act(ClientConnection to) {
        if (rest > 0) {
            rest--;
        } else if (idempotent && !inFlight.isEmpty() && random.nextInt(LOSES_ANSWERS_ONE_IN) == 0) {
            to.close();
            rest = random.nextInt(LONGEST_REST);
        } else {
            ask(to);
        }
    }

    private void ask(ClientConnection to) {
        if (idempotent && producerId == NO_ID) {
            if (to.inFlight() == 0) {
                askForId(to);
            }
        } else if (!idempotent && random.nextInt(TAKES_AN_ID_ONE_IN) == 0) {
            takeId(to);
        } else if (to.inFlight() < MOST_IN_FLIGHT) {
            PartitionLog log = world.logs.get(random.nextInt(world.logs.size()));
            SentBatch next = idempotent ? nextInOrder(log) : newBatch(log, Identity.NONE);
            if (next != null) {
                send(to, log, next);
            }
        }
    }

    /** As an idempotent producer that sends nothing. */
    private void takeId(ClientConnection to) {
        to.ask(ApiKey.INIT_PRODUCER_ID, INIT_VERSION, init(), InitProducerIdResponse.class, answer -> {
            if (answer != null) {
                world.gotProducerId(answer.producerId(), name + "/" + ++takenIds);
            }
        });
    }

    private static InitProducerIdRequest init() {
        return new InitProducerIdRequest().transactionalId(null).transactionTimeoutMs(60_000);
    }

    private void askForId(ClientConnection to) {
        to.ask(ApiKey.INIT_PRODUCER_ID, INIT_VERSION, init(), InitProducerIdResponse.class, answer -> {
            if (answer != null) {
                ANSWERS_COME.require(answer.errorCode() == 0, "%s gets no id: error %s", name, answer.errorCode());
                world.gotProducerId(answer.producerId(), name);
                producerId = answer.producerId();
                epoch = answer.producerEpoch();
            }
        });
    }

    /** The first batch that is not under way; a new one if all are. Null if too many are. */
    private @Nullable SentBatch nextInOrder(PartitionLog log) {
        List<SentBatch> waiting = unanswered.computeIfAbsent(log, none -> new ArrayList<>());
        for (SentBatch batch : waiting) {
            if (!inFlight.contains(batch)) {
                return batch;
            }
        }
        if (waiting.size() == MOST_UNANSWERED) {
            return null;
        }
        int sequence = sequences.getOrDefault(log, 0);
        SentBatch batch = newBatch(log, new Identity(producerId, epoch, sequence));
        sequences.put(log, sequence + batch.count);
        waiting.add(batch);
        return batch;
    }

    private SentBatch newBatch(PartitionLog log, Identity identity) {
        int count = 1 + random.nextInt(random.nextInt(5) == 0 ? 20 : 3);
        int bytes = random.nextInt(random.nextInt(20) == 0 ? 20_000 : 300);
        bytes += random.nextInt(HUGE_ONE_IN) == 0 ? MORE_THAN_A_GROUP_BYTES : 0;
        SentBatch batch = new SentBatch(
                name, log.topic, log.partition, numbers, count, bytes / count, identity, log.compacted, null);
        numbers += count;
        batch.connection = idempotent ? 0 : connections;
        log.sent(batch);
        return batch;
    }

    private void send(ClientConnection to, PartitionLog log, SentBatch batch) {
        inFlight.add(batch);
        batch.latestMillis = Math.max(batch.latestMillis, broker().time.wallMillis());
        to.ask(
                ApiKey.PRODUCE,
                PRODUCE_VERSION,
                request(batch, null, broker().time.wallMillis()),
                ProduceResponse.class,
                answer -> {
                    inFlight.remove(batch);
                    if (answer != null) {
                        answered(log, batch, result(answer));
                    }
                });
    }

    static ProduceRequest request(SentBatch batch, @Nullable String transactionalId, long timestamp) {
        return new ProduceRequest()
                .transactionalId(transactionalId)
                .acks((short) -1)
                .timeoutMs(30_000)
                .topicData(List.of(new TopicProduceData()
                        .name(batch.topic)
                        .partitionData(List.of(new PartitionProduceData()
                                .index(batch.partition)
                                .records(Records.of(batch.records(timestamp)))))));
    }

    static PartitionProduceResponse result(ProduceResponse answer) {
        return answer.responses().get(0).partitionResponses().get(0);
    }

    private void answered(PartitionLog log, SentBatch batch, PartitionProduceResponse result) {
        if (result.errorCode() == 0) {
            batch.state = State.ACKNOWLEDGED;
            batch.offset = result.baseOffset() >= 0 ? result.baseOffset() : SentBatch.NO_OFFSET;
        } else if (idempotent && result.errorCode() == DUPLICATE_SEQUENCE) {
            batch.state = State.ACKNOWLEDGED;
        } else if (result.errorCode() == INVALID_TIMESTAMP) {
            return; // the clock was set back since it was sent, so it is sent again with a new time
        } else if (result.errorCode() == OUT_OF_ORDER_SEQUENCE
                && batch.latestMillis > broker().time.wallMillis()) {
            // It was refused for its time, so the broker, which did not know the producer, took the next one as first.
            batch.state = State.REFUSED;
        } else {
            throw RECORDS_STAY.broken(
                    batch + " is refused with " + result.errorCode() + " " + result.errorMessage(), null);
        }
        unanswered.computeIfAbsent(log, none -> new ArrayList<>()).remove(batch);
    }
}
