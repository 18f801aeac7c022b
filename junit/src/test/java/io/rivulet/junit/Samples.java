package io.rivulet.junit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rivulet.junit.Rivulet.Lifetime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Classes that {@link LifetimeTest} runs. The build does not find them, because their names don't end in Test. */
final class Samples {
    /** Those that the tests have seen, in their order. */
    static final List<RivuletBroker> BROKERS = Collections.synchronizedList(new ArrayList<>());

    private Samples() {}

    @Rivulet(topics = "orders", lifetime = Lifetime.METHOD)
    static class OfMethod {
        @Test
        void first(RivuletBroker broker, RivuletClients clients) throws Exception {
            sees(broker, clients);
        }

        @Test
        void second(RivuletBroker broker, RivuletClients clients) throws Exception {
            sees(broker, clients);
        }
    }

    /** The topic is there, and empty. */
    private static void sees(RivuletBroker broker, RivuletClients clients)
            throws InterruptedException, ExecutionException {
        BROKERS.add(broker);
        ProducerRecord<String, String> first = new ProducerRecord<>("orders", "first");
        if (clients.producer().send(first).get().offset() != 0) {
            throw new AssertionError("the topic has records of another broker");
        }
    }

    @Rivulet
    static class OfClass {
        @Test
        void first(RivuletBroker broker) {
            BROKERS.add(broker);
        }

        @Test
        void second(RivuletBroker broker) {
            BROKERS.add(broker);
        }
    }

    static class OfSubclass extends OfClass {}

    /** JUnit makes its instances before it calls what extensions do before all tests of the class. */
    @Rivulet
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstance {
        OneInstance(RivuletBroker broker, RivuletClients clients) {
            BROKERS.add(broker);
            clients.producer();
        }

        @Test
        void test(RivuletBroker broker) {
            BROKERS.add(broker);
        }

        @Nested
        @Rivulet(topics = "inside")
        @TestInstance(TestInstance.Lifecycle.PER_CLASS)
        class Inside {
            Inside(RivuletBroker broker) {
                BROKERS.add(broker);
            }

            @Test
            void test(RivuletBroker broker) {
                BROKERS.add(broker);
            }
        }
    }

    @Rivulet(topics = "one", lifetime = Lifetime.SHARED)
    static class Shared {
        @Test
        void test(RivuletBroker broker, RivuletClients clients) {
            BROKERS.add(broker);
            clients.producer().partitionsFor("one");
        }
    }

    @Rivulet(topics = "another:2", lifetime = Lifetime.SHARED, config = "auto.create.topics.enable=true")
    static class SharedOtherwise {
        @Test
        void test(RivuletBroker broker) {
            BROKERS.add(broker);
        }
    }

    @Rivulet(topics = "another:2", lifetime = Lifetime.SHARED)
    static class AlsoShared {
        @Test
        void test(RivuletBroker broker, RivuletClients clients) {
            BROKERS.add(broker);
            if (clients.producer().partitionsFor("another").size() != 2) {
                throw new AssertionError("the topic of this class has other partitions");
            }
        }
    }

    @Rivulet(topics = "orders")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class WithClients {
        /** That of the class, then that of the first test. */
        private static final List<KafkaProducer<String, String>> PRODUCERS = new ArrayList<>();

        @BeforeAll
        static void make(RivuletClients clients) {
            PRODUCERS.add(clients.producer());
        }

        @Test
        @Order(1)
        void first(RivuletClients clients) throws Exception {
            PRODUCERS.add(clients.producer());
            send(PRODUCERS.get(1));
        }

        private static void send(KafkaProducer<String, String> producer) throws Exception {
            producer.send(new ProducerRecord<>("orders", "value")).get();
        }

        @Test
        @Order(2)
        void second() throws Exception {
            assertThrows(IllegalStateException.class, () -> send(PRODUCERS.get(1)));
            send(PRODUCERS.get(0));
        }

        @AfterAll
        static void use() throws Exception {
            send(PRODUCERS.get(0));
        }
    }

    @Rivulet(lifetime = Lifetime.METHOD)
    static class TooEarly {
        TooEarly(RivuletBroker broker) {
            BROKERS.add(broker);
        }

        @Test
        void test() {}
    }

    @Rivulet(config = "num.partitions")
    static class WrongConfig {
        @Test
        void test() {}
    }

    @Rivulet(config = "num.partitions=many")
    static class WrongValue {
        @Test
        void test() {}
    }

    @Rivulet(users = "alice")
    static class WrongUser {
        @Test
        void test() {}
    }

    @Rivulet(users = "alice:secret,bob:secret")
    static class TwoUsersInOne {
        @Test
        void test() {}
    }

    @Rivulet(topics = "orders:none")
    static class WrongTopic {
        @Test
        void test() {}
    }
}
