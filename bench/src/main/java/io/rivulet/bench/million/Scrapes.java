package io.rivulet.bench.million;

import io.netty.buffer.ByteBuf;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Wire;
import io.rivulet.protocol.message.ApiKey;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Scrapes of /metrics when all topics have traffic, and one group has an offset in each: time, size, and memory. Owned
 * by: the command's thread.
 */
final class Scrapes {
    /** The messages in each queue: one more than the group has consumed. */
    static final int MESSAGES = (int) WholeMessages.OFFSET + 1;

    private static final int SCRAPES = 100;
    private static final double MOST_MILLIS = 50;
    private static final double MOST_MEGABYTES = 2;
    private static final double MORE_RESIDENT_MEGABYTES = 20;
    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final RunningBroker broker;
    private final URI page;
    private final GoalTable figures;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** @param http the address of the broker's pages */
    Scrapes(RunningBroker broker, String http, GoalTable figures) {
        this.broker = broker;
        this.page = URI.create("http://" + http + "/metrics");
        this.figures = figures;
    }

    /** {@link #MESSAGES} are in each queue. */
    void run(Layout layout, int queues) throws IOException, BrokerFailedException {
        double residentBefore = broker.residentMegabytes();
        scrape("no group");
        figures.atMost(
                "  RSS more than before", "MB", broker.residentMegabytes() - residentBefore, MORE_RESIDENT_MEGABYTES);
        try (Wire wire = new Wire(broker.port())) {
            WholeMessages messages = new WholeMessages(layout, queues);
            ByteBuf commit =
                    Wire.frame(ApiKey.OFFSET_COMMIT, WholeMessages.version(ApiKey.OFFSET_COMMIT), messages.commit());
            wire.exchange(commit);
        }
        String text = scrape("a group with an offset in each queue");
        figures.plain("  age of its lag", "s", value(text, "rivulet_consumergroup_lag_age_seconds"));
        double lag = text.lines()
                .filter(line -> line.startsWith("kafka_consumergroup_lag{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
        if (lag != queues) {
            throw new BrokerFailedException("the lag is " + lag + " instead of " + queues);
        }
    }

    private String scrape(String what) throws IOException, BrokerFailedException {
        double[] millis = new double[SCRAPES];
        String text = "";
        for (int i = 0; i < SCRAPES; i++) {
            long begin = System.nanoTime();
            text = ask();
            millis[i] = (System.nanoTime() - begin) / (double) TimeUnit.MILLISECONDS.toNanos(1);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        figures.plain("scrape, " + what + ": the first", "ms", millis[0]);
        Arrays.sort(millis);
        figures.atMost("  median of " + SCRAPES, "ms", millis[SCRAPES / 2], MOST_MILLIS);
        figures.plain("  longest", "ms", millis[SCRAPES - 1]);
        figures.atMost("  size", "MB", text.length() / BYTES_PER_MEGABYTE, MOST_MEGABYTES);
        return text;
    }

    private String ask() throws IOException, BrokerFailedException {
        try {
            HttpResponse<String> answer =
                    client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new BrokerFailedException("a scrape is answered with " + answer.statusCode());
            }
            return answer.body();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static double value(String text, String series) throws BrokerFailedException {
        return text.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new BrokerFailedException("no series " + series));
    }
}
