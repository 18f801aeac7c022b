package io.rivulet.broker.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.producer.Verdicts;
import io.rivulet.protocol.message.EndTxnResponse;
import io.rivulet.protocol.message.InitProducerIdResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random requests of producers of both protocols, aborts by administrators, full disks, and crashes with a restart from
 * a snapshot and the log after it. The durable state is the same after each restart, and agrees with a model of the
 * open and aborted transactions of each queue.
 */
final class TxnReplayTest {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());
    private static final int ROUNDS = 150;
    private static final int STEPS = 120;
    private static final int QUEUES = 4;
    private static final int IDS = 3;

    /** The state of a producer as its client knows it. */
    private static final class Client {
        final String name;
        final boolean second;
        long producerId = -1;
        short epoch;
        final Map<Integer, Integer> sequences = new HashMap<>();
        /** The first offset of the transaction in each queue with a durable batch. */
        final Map<Integer, Long> open = new HashMap<>();

        Client(String name, boolean second) {
            this.name = name;
            this.second = second;
        }
    }

    private static final class Run {
        final Random random;
        final InMemoryLog log = new InMemoryLog();
        final List<Client> clients = new ArrayList<>();
        final Map<Integer, List<String>> aborted = new HashMap<>();

        Run(long seed) {
            random = new Random(seed);
            for (int i = 0; i < IDS; i++) {
                clients.add(new Client("id-" + i, i > 0));
            }
        }

        void step() throws Exception {
            Client client = clients.get(random.nextInt(IDS));
            int dice = random.nextInt(20);
            if (client.producerId < 0 || dice == 0) {
                take(client);
            } else if (dice < 11) {
                write(client, random.nextInt(QUEUES));
            } else if (dice < 16) {
                end(client, random.nextBoolean());
            } else if (dice == 16 && random.nextInt(4) == 0) {
                compact(random.nextInt(QUEUES));
            } else if (dice == 16 && random.nextBoolean()) {
                abortBeside(client, random.nextInt(QUEUES));
            } else if (dice == 16) {
                log.takeSnapshot();
            } else if (dice == 17) {
                String before = log.dump(QUEUES);
                log.crash();
                assertThat(log.dump(QUEUES)).isEqualTo(before);
            } else {
                requireTheModel();
            }
        }

        private void take(Client client) {
            InitProducerIdResponse taken = log.init(client.name);
            assertThat(taken.errorCode()).isZero();
            over(client, false);
            client.producerId = taken.producerId();
            client.epoch = taken.producerEpoch();
            client.sequences.clear();
        }

        private void write(Client client, int queueId) {
            if (!client.second) {
                log.coordinator.add(
                        client.name,
                        client.producerId,
                        client.epoch,
                        new int[] {queueId},
                        (short) 3,
                        error -> assertThat(error.code()).isZero());
                log.allDurable();
            }
            int sequence = client.sequences.getOrDefault(queueId, 0);
            long offset = log.end(queueId);
            assertThat(log.produce(queueId, client.producerId, client.epoch, sequence, client.second))
                    .isEqualTo(Verdicts.ADMIT);
            if (random.nextInt(8) == 0) {
                log.allRefused();
                return;
            }
            log.allDurable();
            client.sequences.put(queueId, sequence + 1);
            client.open.putIfAbsent(queueId, offset);
        }

        /** An administrator aborts the transaction in one queue, and the producer goes on. */
        private void abortBeside(Client client, int queueId) {
            Long first = client.open.remove(queueId);
            if (first == null) {
                return;
            }
            abortedIn(queueId, client, first);
            log.abort(queueId, client.producerId, client.epoch);
            int sequence = client.sequences.getOrDefault(queueId, 0);
            client.open.put(queueId, log.end(queueId));
            client.sequences.put(queueId, sequence + 1);
            assertThat(log.produce(queueId, client.producerId, client.epoch, sequence, client.second))
                    .isEqualTo(Verdicts.ADMIT);
            if (random.nextBoolean()) {
                log.oneDurable(); // the marker
            }
            if (random.nextBoolean()) {
                end(client, random.nextBoolean());
            } else {
                log.allDurable();
            }
        }

        private void abortedIn(int queueId, Client client, long first) {
            aborted.computeIfAbsent(queueId, id -> new ArrayList<>()).add(client.producerId + "@" + first);
        }

        private void end(Client client, boolean commit) {
            if (client.open.isEmpty()) {
                return;
            }
            log.maxQueuesTogether = random.nextInt(4) == 0 ? 1 : Integer.MAX_VALUE;
            // Queues whose only batch was refused get a marker too.
            boolean together = log.open.describe(client.producerId).queues().size() <= log.maxQueuesTogether;
            EndTxnResponse[] answer =
                    log.end(client.name, client.producerId, client.epoch, commit, client.second ? 5 : 4);
            if (together && random.nextInt(6) == 0) {
                log.lastRefused();
                if (random.nextBoolean()) {
                    end(client, commit);
                }
                log.allDurable();
                assertThat(answer[0].errorCode()).isNotZero();
                return;
            }
            log.allDurable();
            assertThat(answer[0].errorCode()).isZero();
            over(client, commit);
            if (client.second) {
                client.epoch = answer[0].producerEpoch();
                client.sequences.clear();
            }
        }

        private void compact(int queueId) {
            log.open.histories().abortedRecordsRemoved(queueId, log.end(queueId));
            log.allDurable();
            aborted.remove(queueId);
        }

        private void over(Client client, boolean commit) {
            if (!commit) {
                client.open.forEach((queueId, first) -> abortedIn(queueId, client, first));
            }
            client.open.clear();
        }

        void requireTheModel() {
            for (int queueId = 0; queueId < QUEUES; queueId++) {
                int queue = queueId;
                long first = clients.stream()
                        .mapToLong(client -> client.open.getOrDefault(queue, Long.MAX_VALUE))
                        .min()
                        .orElseThrow();
                assertThat(log.open.histories().firstOpenOffset(queueId)).isEqualTo(first);
                assertThat(log.open.histories().aborted(queueId, 0, Long.MAX_VALUE, producerId -> true).stream()
                                .map(one -> one.producerId() + "@" + one.firstOffset()))
                        .containsExactlyInAnyOrderElementsOf(aborted.getOrDefault(queueId, List.of()));
            }
        }
    }

    @Test
    void aReplayRestoresTheStateAndAgreesWithTheModel() throws Exception {
        Random seeds = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            Run run = new Run(seeds.nextLong());
            try {
                for (int step = 0; step < STEPS; step++) {
                    run.step();
                }
                run.requireTheModel();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + SEED + ", round " + round, e);
            }
        }
    }
}
