package io.rivulet.bench.hostile;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.load.ProduceFrames;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.EndTxnRequest;
import io.rivulet.protocol.message.EndTxnResponse;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.codec.Codec;
import io.rivulet.protocol.wire.Records;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Attacks with batches and transactions. Stateless. */
final class ProduceAttacks {
    /** A topic of the attackers, compacted and never trimmed; the good client does not use it. */
    static final String TOPIC = "attacked";

    static final int PARTITIONS = 16;

    private static final short PRODUCE_VERSION = 12;
    private static final short INIT_VERSION = 5;
    private static final short END_VERSION = 5;
    private static final int BOMB_BYTES = 90 << 20;
    private static final int BOMBS = 10;
    private static final int INVENTED = 5_000;
    private static final int ABORTS = 500;
    private static final int TIMEOUT_MILLIS = 30_000;

    private ProduceAttacks() {}

    static List<Attack> all() {
        return List.of(
                bomb("batches of zeros in gzip", Codec.GZIP),
                bomb("batches of zeros in zstd", Codec.ZSTD),
                new Attack("invented producer ids", ProduceAttacks::invent),
                new Attack("aborted transactions", ProduceAttacks::abort));
    }

    private static Attack bomb(String name, Codec codec) {
        return Attack.of(
                name,
                ApiKey.PRODUCE,
                PRODUCE_VERSION,
                () -> ProduceFrames.request(
                        TOPIC,
                        IntStream.range(0, BOMBS)
                                .mapToObj(i -> new PartitionProduceData()
                                        .index(i % PARTITIONS)
                                        .records(Records.of(
                                                Bombs.of(codec, BOMB_BYTES).duplicate())))
                                .toList()));
    }

    private static PartitionProduceData batch(int partition, long producerId, short epoch, boolean transactional) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            builder.producer(producerId, epoch, 0);
            if (transactional) {
                builder.transactional();
            }
            builder.append(System.currentTimeMillis(), new byte[] {(byte) partition}, new byte[] {1});
            return new PartitionProduceData().index(partition).records(Records.of(builder.build()));
        }
    }

    private static void invent(int port) throws IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try (Wire wire = new Wire(port)) {
            for (int i = 0; i < INVENTED / PARTITIONS; i++) {
                wire.call(
                        ApiKey.PRODUCE,
                        PRODUCE_VERSION,
                        ProduceFrames.request(
                                TOPIC,
                                IntStream.range(0, PARTITIONS)
                                        .mapToObj(partition ->
                                                batch(partition, random.nextLong(Long.MAX_VALUE), (short) 0, false))
                                        .toList()));
            }
        }
    }

    private static void abort(int port) throws IOException {
        String id = "aborting-" + ThreadLocalRandom.current().nextInt(1000);
        try (Wire wire = new Wire(port)) {
            InitProducerIdResponse begun = (InitProducerIdResponse) wire.call(
                    ApiKey.INIT_PRODUCER_ID,
                    INIT_VERSION,
                    new InitProducerIdRequest().transactionalId(id).transactionTimeoutMs(TIMEOUT_MILLIS));
            long producerId = begun.producerId();
            short epoch = begun.producerEpoch();
            for (int i = 0; i < ABORTS && epoch >= 0; i++) {
                wire.call(
                        ApiKey.PRODUCE,
                        PRODUCE_VERSION,
                        ProduceFrames.request(TOPIC, List.of(batch(i % PARTITIONS, producerId, epoch, true)))
                                .transactionalId(id));
                EndTxnResponse ended = (EndTxnResponse) wire.call(
                        ApiKey.END_TXN,
                        END_VERSION,
                        new EndTxnRequest()
                                .transactionalId(id)
                                .producerId(producerId)
                                .producerEpoch(epoch)
                                .committed(false));
                producerId = ended.producerId();
                epoch = ended.producerEpoch();
            }
        }
    }
}
