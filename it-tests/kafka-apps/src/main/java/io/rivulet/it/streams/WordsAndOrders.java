package io.rivulet.it.streams;

import java.time.Duration;
import java.util.Arrays;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.JoinWindows;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindows;

/**
 * Counts the words of the topic lines, in total and by window. Joins the topic orders, whose keys are users, with the
 * table of the topic users, and with the topic payments, whose keys are users too. Runs until it is killed. Each
 * argument is a setting, name=value. Not thread-safe.
 */
public final class WordsAndOrders {
    private static final Duration WINDOW = Duration.ofDays(1);

    private WordsAndOrders() {}

    public static void main(String[] arguments) throws InterruptedException {
        Properties settings = new Properties();
        for (String argument : arguments) {
            String[] nameAndValue = argument.split("=", 2);
            settings.setProperty(nameAndValue[0], nameAndValue[1]);
        }
        settings.put("default.key.serde", Serdes.StringSerde.class);
        settings.put("default.value.serde", Serdes.StringSerde.class);
        StreamsBuilder builder = new StreamsBuilder();
        countWords(builder);
        KStream<String, String> orders = builder.stream("orders");
        joinWithUsers(builder, orders);
        joinWithPayments(builder, orders);
        try (KafkaStreams streams = new KafkaStreams(builder.build(), settings)) {
            CountDownLatch stopped = new CountDownLatch(1);
            streams.setStateListener((now, before) -> {
                if (now.hasCompletedShutdown()) {
                    stopped.countDown();
                }
            });
            streams.start();
            stopped.await();
        }
    }

    /**
     * Writes the count of each word after each occurrence to counts, with a repartition topic and a store with a
     * changelog.
     */
    private static void countWords(StreamsBuilder builder) {
        KStream<String, String> words = builder.<String, String>stream("lines")
                .flatMap((key, line) -> Arrays.stream(line.split(" ", -1))
                        .map(word -> KeyValue.pair(word, ""))
                        .toList());
        words.groupByKey()
                .count(Materialized.as("counted"))
                .toStream()
                .mapValues(String::valueOf)
                .to("counts", Produced.with(Serdes.String(), Serdes.String()));
        words.groupByKey()
                .windowedBy(TimeWindows.ofSizeWithNoGrace(WINDOW))
                .count(Materialized.as("counted-by-window"))
                .toStream()
                .map((window, count) ->
                        KeyValue.pair(window.key(), window.window().start() + " " + count))
                .to("counts-by-window", Produced.with(Serdes.String(), Serdes.String()));
    }

    private static void joinWithUsers(StreamsBuilder builder, KStream<String, String> orders) {
        orders.join(builder.<String, String>table("users"), (order, user) -> order + " for " + user)
                .to("joined");
    }

    /** Each pair of an order and a payment of one user, once. Both sides have a store with a changelog. */
    private static void joinWithPayments(StreamsBuilder builder, KStream<String, String> orders) {
        orders.join(
                        builder.<String, String>stream("payments"),
                        (order, payment) -> order + " with " + payment,
                        JoinWindows.ofTimeDifferenceWithNoGrace(WINDOW))
                .to("paid");
    }
}
