package io.rivulet.bench.versus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.bench.lab.BrokerFailedException;
import org.junit.jupiter.api.Test;

final class PerfOutputTest {
    private static final String PRODUCED = """
            5001 records sent, 1000.2 records/sec (0.95 MB/sec), 900.1 ms avg latency, 1000.0 ms max latency.
            45000 records sent, 1210.5 records/sec (1.15 MB/sec), 26.3 ms avg latency, 30.0 ms max latency, \
            20 ms 50th, 25 ms 95th, 27 ms 99th, 29 ms 99.9th.
            Metric Name                                                              Value
            producer-metrics:produce-throttle-time-avg:{client-id=quota-bench}     : 112.500
            producer-metrics:produce-throttle-time-max:{client-id=quota-bench}     : 401.000
            producer-node-metrics:request-rate:{client-id=quota-bench, node-id=node-1} : 7.000
            """;

    private static final String CONSUMED = """
            start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, rebalance.time.ms, \
            fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec
            2026-11-23 12:00:00:000, 2026-11-23 12:00:40:000, 42.9, 1.07, 45000, 1125.0, 3000, 37000, 1.16, 1216.2
            consumer-fetch-manager-metrics:fetch-throttle-time-avg:{client-id=quota-bench} : 310.000
            """;

    @Test
    void theLastLineOfTheProducerIsItsResult() throws BrokerFailedException {
        PerfOutput.Produced produced = new PerfOutput(PRODUCED).produced(45_000);

        assertThat(produced).isEqualTo(new PerfOutput.Produced(1210.5, 27));
    }

    @Test
    void theRateOfTheConsumerIsThatWhileItFetches() throws BrokerFailedException {
        assertThat(new PerfOutput(CONSUMED).consumedPerSecond(45_000)).isEqualTo(1216.2);
    }

    @Test
    void metricsOfTheClientAreFoundByName() throws BrokerFailedException {
        assertThat(new PerfOutput(PRODUCED).metric("produce-throttle-time-max")).isEqualTo(401);
        assertThat(new PerfOutput(CONSUMED).metric("fetch-throttle-time-avg")).isEqualTo(310);
        assertThatThrownBy(() -> new PerfOutput(PRODUCED).metric("request-rate"))
                .isInstanceOf(BrokerFailedException.class);
    }

    @Test
    void aToolThatDidNotFinishHasFailed() {
        PerfOutput half = new PerfOutput(PRODUCED.lines().findFirst().orElseThrow());

        assertThatThrownBy(() -> half.produced(45_000)).hasMessageContaining("5001 records sent");
        assertThatThrownBy(() -> new PerfOutput(CONSUMED).consumedPerSecond(45_001))
                .hasMessageContaining("ConsumerPerformance failed");
    }
}
