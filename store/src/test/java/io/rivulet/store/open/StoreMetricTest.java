package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.StoreMetric;
import io.rivulet.store.View;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.local.LocalLogConfig;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The metrics of a store. */
final class StoreMetricTest {
    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT.withGroups(4, 128 << 10).withSegmentBytes(256 << 10))
            .withMemory(1 << 20, 1 << 20);
    private static final List<View> NO_VIEWS = List.of();

    private final CrashDisk disk = new CrashDisk();

    private LocalStore open() throws Exception {
        return LocalStore.open(CONFIG, new StoreEnvironment(disk, new StepWorkers(), () -> 5), NO_VIEWS);
    }

    @ParameterizedTest
    @EnumSource(StoreMetric.class)
    void eachMetricCanBeReadAndSaysWhatItIs(StoreMetric metric) throws Exception {
        try (LocalStore store = open()) {
            assertThat(store.metric(metric)).isNotNegative();
            assertThat(metric.description()).isNotBlank();
            assertThat(metric.metricName()).matches("[a-z_]+");
            assertThat(metric.unit() == StoreMetric.Unit.BYTES)
                    .isEqualTo(metric.metricName().endsWith("_bytes"));
            assertThat(metric.unit() == StoreMetric.Unit.MILLIS)
                    .isEqualTo(metric.metricName().endsWith("_millis"));
            assertThat(metric.unit() == StoreMetric.Unit.NANOS)
                    .isEqualTo(metric.metricName().endsWith("_nanos"));
        }
    }

    /** The directory of a file is in the cache from the start. */
    @Test
    void theFirstReadOfASweptQueueIsOneIo() throws Exception {
        StoreModel model = new StoreModel(1);
        try (LocalStore store = open()) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, 1000, 0);
            model.appendToSome(driver, 1, 300);
            driver.sweepEverything();
            long before = store.metric(StoreMetric.CACHE_READS);

            assertThat(driver.readAll(model.queueIds().get(500), 0, 1000)).isNotEmpty();

            assertThat(store.metric(StoreMetric.CACHE_READS) - before).isEqualTo(1);
        }
    }

    @Test
    void metricsFollowWhatHappens() throws Exception {
        StoreModel model = new StoreModel(1);
        try (LocalStore store = open()) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, 10, 0);
            model.appendToSome(driver, 1, 300);
            assertThat(store.metric(StoreMetric.QUEUES)).isEqualTo(10);
            assertThat(store.metric(StoreMetric.LOG_GROUPS)).isEqualTo(11);
            assertThat(store.metric(StoreMetric.TAIL_USED_CHUNKS)).isPositive();
            assertThat(store.metric(StoreMetric.WAITING_BYTES)).isZero();

            model.append(driver, 3, 1, 4, 40_000);
            driver.sweepEverything();
            assertThat(store.metric(StoreMetric.BLOCK_FILES)).isEqualTo(1);
            assertThat(store.metric(StoreMetric.BLOCKS)).isEqualTo(10);
            assertThat(store.metric(StoreMetric.LOG_REFERENCED_BYTES)).isEqualTo(40_000);
            assertThat(store.metric(StoreMetric.TAIL_USED_CHUNKS)).isZero();
            assertThat(store.metric(StoreMetric.SWEEP_CYCLES)).isEqualTo(2);

            model.check(store, driver);
            assertThat(store.metric(StoreMetric.CACHE_READS)).isPositive();
            model.appendToSome(driver, 1, 300);
        }
        try (LocalStore store = open()) {
            assertThat(store.metric(StoreMetric.REPLAYED_BYTES)).isPositive();
            assertThat(store.metric(StoreMetric.REPLAY_NANOS)).isPositive();
        }
    }
}
