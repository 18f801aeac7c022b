package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.EPOCHS_RISE;
import static io.rivulet.simulation.Promise.TRANSACTIONS_ARE_WHOLE;

import io.rivulet.protocol.message.AddOffsetsToTxnRequest;
import io.rivulet.protocol.message.AddOffsetsToTxnResponse;
import io.rivulet.protocol.message.AddPartitionsToTxnRequest;
import io.rivulet.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTopic;
import io.rivulet.protocol.message.AddPartitionsToTxnResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.EndTxnRequest;
import io.rivulet.protocol.message.EndTxnResponse;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.protocol.message.ProduceResponse;
import io.rivulet.protocol.message.ProduceResponse.PartitionProduceResponse;
import io.rivulet.protocol.message.TxnOffsetCommitRequest;
import io.rivulet.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestPartition;
import io.rivulet.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic;
import io.rivulet.protocol.message.TxnOffsetCommitResponse;
import io.rivulet.simulation.SentBatch.Identity;
import io.rivulet.simulation.SentBatch.State;
import io.rivulet.simulation.SentTransaction.Fate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends records and offsets in transactions, one request at a time, with the first or the second protocol. */
final class TransactionalProducer extends Client {
    private static final int INIT_VERSION = 4;
    private static final int ADD_VERSION = 3;
    private static final int END_VERSION = 3;
    private static final int OFFSETS_VERSION = 3;
    private static final int SECOND_PRODUCE_VERSION = 12;
    private static final int SECOND_END_VERSION = 5;
    private static final int SECOND_OFFSETS_VERSION = 5;
    private static final short CONCURRENT_TRANSACTIONS = 51;
    /** The clock was set back since it was sent; it begins anew. */
    private static final short INVALID_TIMESTAMP = 32;

    /** The coordinator has ended the transaction: it took too long, or another producer has come. */
    private static final Set<Integer> ENDED = Set.of(47, 48, 90, 120);

    private static final String OFFSETS_TOPIC = "plain-0";
    private static final int MOST_PARTS = 5;
    private static final int TIMEOUT_MILLIS = 20_000;

    private final boolean second;
    private final List<SentTransaction> all = new ArrayList<>();
    private final Map<PartitionLog, Integer> sequences = new HashMap<>();
    private final Set<PartitionLog> added = new HashSet<>();
    private boolean groupAdded;
    private long producerId = -1;
    private short epoch = -1;
    private boolean ready;
    private int partsLeft;
    private long numbers;
    private long offsets;
    private @Nullable SentTransaction current;

    /** @param second with the second protocol, where partitions are added by the produce itself */
    TransactionalProducer(World world, String name, boolean second) {
        super(world, name);
        this.second = second;
    }

    @Override
    void connected() {
        ready = false;
    }

    // ---- between lives ----

    @Override
    public void settle(Asking asking) {
        InitProducerIdResponse answer;
        do {
            answer = asking.ask(ApiKey.INIT_PRODUCER_ID, INIT_VERSION, init(), InitProducerIdResponse.class);
            asking.pause();
        } while (answer.errorCode() == CONCURRENT_TRANSACTIONS);
        initialized(answer);
    }

    @Override
    public void verify(Asking asking) {
        Map<Integer, Long> expected = new TreeMap<>();
        for (SentTransaction transaction : all) {
            if (transaction.fate == Fate.COMMITTED) {
                expected.putAll(transaction.offsets);
            }
        }
        Map<Integer, Long> found = Offsets.fetch(asking, group(), OFFSETS_TOPIC, 2);
        TRANSACTIONS_ARE_WHOLE.require(
                found.equals(expected), "the offsets of %s are %s, not %s", group(), found, expected);
    }

    private String group() {
        return "group-of-" + name;
    }

    // ---- requests ----

    @Override
    void act(ClientConnection to) {
        if (to.inFlight() > 0) {
            return;
        }
        if (!ready) {
            to.ask(ApiKey.INIT_PRODUCER_ID, INIT_VERSION, init(), InitProducerIdResponse.class, answer -> {
                if (answer != null && answer.errorCode() != CONCURRENT_TRANSACTIONS) {
                    initialized(answer);
                }
            });
            return;
        }
        SentTransaction transaction = current;
        if (transaction == null) {
            transaction = new SentTransaction(name, all.size());
            all.add(transaction);
            current = transaction;
            added.clear();
            groupAdded = false;
            partsLeft = 1 + random.nextInt(MOST_PARTS);
        }
        if (transaction.batches.isEmpty() || (partsLeft > 0 && random.nextInt(4) > 0)) {
            produce(
                    to,
                    transaction,
                    world.plainLogs().get(random.nextInt(world.plainLogs().size())));
        } else if (partsLeft > 0) {
            commitOffset(to, transaction);
        } else {
            end(to, transaction);
        }
    }

    private InitProducerIdRequest init() {
        return new InitProducerIdRequest().transactionalId(name).transactionTimeoutMs(TIMEOUT_MILLIS);
    }

    private void initialized(InitProducerIdResponse answer) {
        TRANSACTIONS_ARE_WHOLE.require(answer.errorCode() == 0, "%s gets error %s", name, answer.errorCode());
        identified(answer.producerId(), answer.producerEpoch());
        abandon();
        ready = true;
    }

    private void identified(long newId, short newEpoch) {
        world.gotProducerId(newId, name);
        EPOCHS_RISE.require(
                newId != producerId || newEpoch > epoch,
                "%s gets %s.%s after %s.%s",
                name,
                newId,
                newEpoch,
                producerId,
                epoch);
        producerId = newId;
        epoch = newEpoch;
        sequences.clear();
    }

    /** The transaction will not be ended by this producer. */
    private void abandon() {
        SentTransaction left = current;
        if (left != null && left.fate == Fate.OPEN) {
            left.fate = Fate.ABORTED;
        }
        current = null;
    }

    private void produce(ClientConnection to, SentTransaction transaction, PartitionLog log) {
        if (!second && !added.contains(log)) {
            AddPartitionsToTxnRequest request = new AddPartitionsToTxnRequest()
                    .v3AndBelowTransactionalId(name)
                    .v3AndBelowProducerId(producerId)
                    .v3AndBelowProducerEpoch(epoch)
                    .v3AndBelowTopics(List.of(
                            new AddPartitionsToTxnTopic().name(log.topic).partitions(new int[] {log.partition})));
            to.ask(ApiKey.ADD_PARTITIONS_TO_TXN, ADD_VERSION, request, AddPartitionsToTxnResponse.class, answer -> {
                if (answer != null) {
                    short error = answer.resultsByTopicV3AndBelow()
                            .get(0)
                            .resultsByPartition()
                            .get(0)
                            .partitionErrorCode();
                    done(error, "adding " + log, transaction, () -> added.add(log));
                }
            });
            return;
        }
        partsLeft--;
        int count = 1 + random.nextInt(4);
        int sequence = sequences.merge(log, count, Integer::sum) - count;
        SentBatch batch = new SentBatch(
                name,
                log.topic,
                log.partition,
                numbers,
                count,
                random.nextInt(400),
                new Identity(producerId, epoch, sequence),
                false,
                transaction);
        numbers += count;
        log.sent(batch);
        transaction.batches.add(batch);
        to.ask(
                ApiKey.PRODUCE,
                second ? SECOND_PRODUCE_VERSION : Producer.PRODUCE_VERSION,
                Producer.request(batch, name, broker().time.wallMillis()),
                ProduceResponse.class,
                answer -> {
                    if (answer != null) {
                        produced(Producer.result(answer), batch, transaction);
                    }
                });
    }

    private void produced(PartitionProduceResponse result, SentBatch batch, SentTransaction transaction) {
        if (result.errorCode() != 0) {
            batch.state = State.REFUSED;
        }
        done(result.errorCode(), "sending " + batch, transaction, () -> {
            batch.state = State.ACKNOWLEDGED;
            batch.offset = result.baseOffset() >= 0 ? result.baseOffset() : SentBatch.NO_OFFSET;
        });
    }

    private void commitOffset(ClientConnection to, SentTransaction transaction) {
        if (!second && !groupAdded) {
            AddOffsetsToTxnRequest request = new AddOffsetsToTxnRequest()
                    .transactionalId(name)
                    .producerId(producerId)
                    .producerEpoch(epoch)
                    .groupId(group());
            to.ask(ApiKey.ADD_OFFSETS_TO_TXN, ADD_VERSION, request, AddOffsetsToTxnResponse.class, answer -> {
                if (answer != null) {
                    done(answer.errorCode(), "adding " + group(), transaction, () -> groupAdded = true);
                }
            });
            return;
        }
        partsLeft--;
        int partition = random.nextInt(2);
        long offset = ++offsets;
        TxnOffsetCommitRequest request = new TxnOffsetCommitRequest()
                .transactionalId(name)
                .groupId(group())
                .producerId(producerId)
                .producerEpoch(epoch)
                .generationIdOrMemberEpoch(-1)
                .memberId("")
                .topics(List.of(new TxnOffsetCommitRequestTopic()
                        .name(OFFSETS_TOPIC)
                        .partitions(List.of(new TxnOffsetCommitRequestPartition()
                                .partitionIndex(partition)
                                .committedOffset(offset)))));
        to.ask(
                ApiKey.TXN_OFFSET_COMMIT,
                second ? SECOND_OFFSETS_VERSION : OFFSETS_VERSION,
                request,
                TxnOffsetCommitResponse.class,
                answer -> {
                    if (answer != null) {
                        short error = answer.topics().get(0).partitions().get(0).errorCode();
                        done(error, "an offset", transaction, () -> transaction.offsets.put(partition, offset));
                    }
                });
    }

    private void end(ClientConnection to, SentTransaction transaction) {
        boolean commits = random.nextInt(3) > 0;
        transaction.fate = commits ? Fate.MAY_BE_COMMITTED : Fate.ABORTED;
        EndTxnRequest request = new EndTxnRequest()
                .transactionalId(name)
                .producerId(producerId)
                .producerEpoch(epoch)
                .committed(commits);
        Consumer<@Nullable EndTxnResponse> answered = answer -> {
            if (answer == null) {
                return;
            }
            if (answer.errorCode() != 0) {
                transaction.fate = Fate.ABORTED;
            }
            done(answer.errorCode(), "ending " + transaction, transaction, () -> {
                transaction.fate = commits ? Fate.COMMITTED : Fate.ABORTED;
                current = null;
                if (second) {
                    identified(answer.producerId(), answer.producerEpoch());
                }
            });
        };
        to.ask(ApiKey.END_TXN, second ? SECOND_END_VERSION : END_VERSION, request, EndTxnResponse.class, answered);
    }

    private void done(short error, String what, SentTransaction transaction, Runnable then) {
        if (error == 0) {
            then.run();
        } else if (ENDED.contains((int) error) || error == INVALID_TIMESTAMP) {
            abandon();
            ready = false;
        } else if (error != CONCURRENT_TRANSACTIONS) {
            throw TRANSACTIONS_ARE_WHOLE.broken(
                    name + ": error " + error + " for " + what + " in " + transaction, null);
        }
    }
}
