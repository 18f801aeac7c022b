package io.rivulet.prove.history;

import io.rivulet.prove.history.History.Entry;
import io.rivulet.prove.history.History.Result;
import io.rivulet.prove.history.History.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** One transaction of a producer, and what is known of it. Owned by: one thread. */
final class Transaction {
    private record Sent(String partition, String value, Future<RecordMetadata> answer) {}

    private final KafkaProducer<String, String> producer;
    private final List<Sent> sent = new ArrayList<>();
    private final Map<String, Long> commits = new HashMap<>();
    private List<Entry> inputs = List.of();
    private String group = "";
    /** A client that never asked for the commit knows that the next producer of its id aborts. */
    private Result result = Result.FAIL;

    private long endNanos = Long.MAX_VALUE;
    private long doneNanos = Long.MAX_VALUE;

    Transaction(KafkaProducer<String, String> producer) {
        this.producer = producer;
        producer.beginTransaction();
    }

    void send(String topic, int partition, String value) {
        Future<RecordMetadata> answer = producer.send(new ProducerRecord<>(topic, partition, "", value));
        sent.add(new Sent(topic + "-" + partition, value, answer));
    }

    /** @param processed whose offsets the transaction commits */
    void process(List<Entry> processed, Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata member) {
        inputs = processed;
        group = member.groupId();
        offsets.forEach((partition, offset) -> commits.put(partition.toString(), offset.offset()));
        producer.sendOffsetsToTransaction(offsets, member);
    }

    /** Like {@link #abort}, it flushes first, because Kafka's client may send the last records after the end. */
    void commit() {
        producer.flush();
        endNanos = System.nanoTime();
        result = Result.INFO;
        producer.commitTransaction();
        doneNanos = System.nanoTime();
        result = Result.OK;
    }

    void abort() {
        producer.flush();
        endNanos = System.nanoTime();
        producer.abortTransaction();
    }

    /** Call it at the end, or when the producer is given up. */
    Write toWrite() {
        long untilNanos = Math.min(endNanos, System.nanoTime());
        List<Entry> entries = sent.stream()
                .map(one -> new Entry(one.partition, offset(one.answer), one.value))
                .toList();
        return new Write(result, true, untilNanos, doneNanos, entries, inputs, group, Map.copyOf(commits));
    }

    private static long offset(Future<RecordMetadata> answer) {
        try {
            return answer.isDone() ? answer.get().offset() : History.UNKNOWN;
        } catch (ExecutionException e) {
            return History.UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return History.UNKNOWN;
        }
    }
}
