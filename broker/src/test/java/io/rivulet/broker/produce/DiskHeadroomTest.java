package io.rivulet.broker.produce;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.SpaceLimit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class DiskHeadroomTest {
    private final AtomicLong usable = new AtomicLong(100);
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong looks = new AtomicLong();

    private final DiskHeadroom.Space disk = new DiskHeadroom.Space() {
        @Override
        public long usable() {
            looks.incrementAndGet();
            return usable.get();
        }

        @Override
        public long total() {
            return 1000;
        }
    };

    @Test
    void theDiskIsLookedAtOnceASecond() {
        DiskHeadroom headroom = new DiskHeadroom(new SpaceLimit("5%"), disk, Runnable::run, nanos::get);
        assertThat(headroom.isShort()).isFalse();
        usable.set(49);
        assertThat(headroom.isShort()).isFalse();
        assertThat(looks).hasValue(1);

        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(headroom.isShort()).isTrue();
        usable.set(50);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(headroom.isShort()).isFalse();
    }

    @Test
    void bytesAreALimitToo() {
        DiskHeadroom headroom = new DiskHeadroom(new SpaceLimit("101"), disk, Runnable::run, nanos::get);
        assertThat(headroom.isShort()).isTrue();
    }
}
