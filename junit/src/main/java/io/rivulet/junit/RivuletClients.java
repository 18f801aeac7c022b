package io.rivulet.junit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Makes Kafka's clients for a broker, with what encryption and a login need. They are closed after the test, or after
 * the class if a constructor or a static method has asked for them. Needs kafka-clients on the class path. Thread-safe,
 * but not all of the clients are.
 */
public final class RivuletClients {
    private final RivuletBroker broker;
    private final Map<String, Object> settings;
    private final Deque<AutoCloseable> open;

    RivuletClients(RivuletBroker broker) {
        this(broker, broker.clientSettings(), new ArrayDeque<>());
    }

    private RivuletClients(RivuletBroker broker, Map<String, Object> settings, Deque<AutoCloseable> open) {
        this.broker = broker;
        this.settings = settings;
        this.open = open;
    }

    /** The same for clients with one more setting, such as {@code with("enable.auto.commit", false)}. */
    public RivuletClients with(String key, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(settings);
        more.put(key, value);
        return new RivuletClients(broker, more, open);
    }

    /** The same for clients that log in as this user. */
    public RivuletClients as(String user) {
        Map<String, Object> other = new LinkedHashMap<>(settings);
        other.putAll(broker.clientSettings(user));
        return new RivuletClients(broker, other, open);
    }

    /** What a client needs to connect, for clients that are made elsewhere. The caller owns the map. */
    public Map<String, Object> settings() {
        return new LinkedHashMap<>(settings);
    }

    public Admin admin() {
        return opened(Admin.create(settings()));
    }

    /** A producer of text. */
    public KafkaProducer<String, String> producer() {
        return producer(new StringSerializer(), new StringSerializer());
    }

    public <K, V> KafkaProducer<K, V> producer(Serializer<K> keys, Serializer<V> values) {
        return opened(new KafkaProducer<>(settings(), keys, values));
    }

    /** A consumer of text that has subscribed to the topics, and reads them from their beginning. */
    public KafkaConsumer<String, String> consumer(String group, String... topics) {
        KafkaConsumer<String, String> consumer = consumer(group, new StringDeserializer(), new StringDeserializer());
        if (topics.length > 0) {
            consumer.subscribe(List.of(topics));
        }
        return consumer;
    }

    /** A consumer that reads from the beginning what its group has not read. */
    public <K, V> KafkaConsumer<K, V> consumer(String group, Deserializer<K> keys, Deserializer<V> values) {
        Map<String, Object> all = settings();
        all.put("group.id", group);
        all.putIfAbsent("auto.offset.reset", "earliest");
        return opened(new KafkaConsumer<>(all, keys, values));
    }

    private <C extends AutoCloseable> C opened(C client) {
        synchronized (open) {
            open.push(client);
        }
        return client;
    }

    /** Closes the clients, the newest first. Those that the test has closed don't mind. */
    void close() throws Exception {
        Exception failure = null;
        for (AutoCloseable next = poll(); next != null; next = poll()) {
            try {
                next.close();
            } catch (Exception e) {
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable AutoCloseable poll() {
        synchronized (open) {
            return open.poll();
        }
    }
}
