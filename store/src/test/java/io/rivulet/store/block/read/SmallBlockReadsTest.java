package io.rivulet.store.block.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.cache.PageClass;
import io.rivulet.store.io.FaultyDisk.Op;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Small blocks of many queues, read without the cache: their cost, and which reads fail at a bad sector. */
class SmallBlockReadsTest {
    private static final int QUEUES = 200;

    private final BlockFixture fixture = new BlockFixture();
    private final BlockModel model = new BlockModel(12);
    private BlockReader reader = fixture.reader();

    @BeforeEach
    void aBlockOfEachQueueInEachOfTwoFiles() throws IOException {
        fixture.limits = new BlockFileLimits(2000, 1 << 20, 10_000);
        for (int cycle = 1; cycle <= 2; cycle++) {
            Map<Integer, List<BlockModel.Rec>> added = new TreeMap<>();
            for (int q = 0; q < QUEUES; q++) {
                added.put(q, model.append(q, 2, 100));
            }
            fixture.sweep(cycle, added);
        }
        assertThat(fixture.files.files()).hasSize(2);
        reader = fixture.reader();
    }

    @AfterEach
    void nothingIsLeft() {
        fixture.close();
    }

    private void requireWhole(int queueId) throws IOException {
        ByteBuffer expected = BlockModel.stream(Objects.requireNonNull(model.queues.get(queueId)));
        ByteBuffer all = ByteBuffer.allocate(1 << 20);
        long next = 0;
        while (next < model.endOffset(queueId)) {
            next = reader.read(queueId, next, all.limit(all.capacity()), PageClass.SCAN)
                    .nextOffset();
        }
        assertThat(all.flip()).as("queue %s", queueId).isEqualTo(expected);
    }

    @Test
    void fromQueueToQueueManyBlocksComeWithOneRead() throws IOException {
        long before = fixture.disk.count(Op.READ);
        for (int q = 0; q < QUEUES; q++) {
            requireWhole(q);
        }
        assertThat(fixture.disk.count(Op.READ) - before).isLessThan(QUEUES / 2);
    }

    @Test
    void inAnyOrderEachQueueComesBackAsItWas() throws IOException {
        for (int i = 0; i < 2000; i++) {
            requireWhole(model.random.nextInt(QUEUES));
        }
    }

    /** The directories are kept, the blocks are not. */
    @Test
    void theCacheKeepsNothingOfThem() throws IOException {
        requireWhole(0);
        requireWhole(QUEUES - 1);
        long cached = fixture.cache.pagesCached();
        for (int q = 0; q < QUEUES; q += 10) {
            requireWhole(q);
        }
        assertThat(fixture.cache.pagesCached() - cached).isLessThanOrEqualTo(4);
    }

    @Test
    void aBadSectorFailsReadsOfItsQueueOnly() throws IOException {
        BlockEntry bad = block(5);
        fixture.disk.failReads(file().name(), bad.startAddress() + 10, bad.startAddress() + 20);
        for (int q = 0; q < QUEUES; q++) {
            int queueId = q;
            if (q == 5) {
                assertThatThrownBy(() -> requireWhole(queueId)).isInstanceOf(BlockReadException.class);
            } else {
                requireWhole(queueId);
            }
        }
    }

    @Test
    void anAlteredByteIsNotServedAndReadAnewTheNextTime() throws IOException {
        BlockEntry altered = block(7);
        fixture.crashDisk.flipBit(file().name(), altered.endAddress() - 1, 3);
        requireWhole(5);
        requireWhole(6);
        assertThatThrownBy(() -> requireWhole(7)).isInstanceOf(BlockReadException.class);
        fixture.crashDisk.flipBit(file().name(), altered.endAddress() - 1, 3);
        requireWhole(7);
    }

    private BlockFile file() {
        return fixture.files.files().get(0);
    }

    private BlockEntry block(int queueId) throws IOException {
        try (FoundBlock found = Objects.requireNonNull(fixture.find(queueId, 0))) {
            assertThat(found.file()).isSameAs(file());
            return found.block();
        }
    }
}
