package io.rivulet.store.block.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.block.format.BlockFileFooter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Everything that was written can be read back, from any offset, in pieces of any size. */
class BlockFilesPropertyTest {

    @Property(tries = 60)
    void whatWasSweptIsReadBackFromAnyOffset(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 5) int cycles,
            @ForAll @IntRange(min = 1, max = 60) int queueCount)
            throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(seed);
            fixture.limits = seed % 2 == 0 ? BlockFixture.SMALL : BlockFixture.MANY_BLOCKS;
            fixture.fill(model, cycles, queueCount);
            footersSumUpTheModel(fixture, model);
            for (int queueId = 0; queueId < 2 * queueCount; queueId++) {
                fixture.requireSameAs(model, queueId, 0);
                if (model.endOffset(queueId) > 0) {
                    fixture.requireSameAs(model, queueId, model.random.nextLong(model.endOffset(queueId)));
                }
            }
        }
    }

    /** Queues far apart, so that the filters are Bloom filters and some files are read without result. */
    @Property(tries = 40)
    void queuesFarApartAreFoundAndOthersAreNot(@ForAll long seed) throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(seed);
            for (int cycle = 1; cycle <= 12; cycle++) {
                Map<Integer, List<BlockModel.Rec>> added = new TreeMap<>();
                for (int i = 0; i < 6; i++) {
                    int queueId = 1000 * model.random.nextInt(40);
                    added.computeIfAbsent(queueId, q -> model.append(q, 1 + model.random.nextInt(8), 100));
                }
                fixture.sweep(cycle, added);
            }
            for (int queueId = 0; queueId < 40_000; queueId += 250) {
                fixture.requireSameAs(model, queueId, 0);
                fixture.requireSameAs(model, queueId, model.random.nextLong(model.endOffset(queueId) + 1));
            }
        }
    }

    @Property(tries = 40)
    void aTimestampIsFoundWhereTheModelHasIt(@ForAll long seed) throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            BlockModel model = new BlockModel(seed);
            fixture.fill(model, 3, 12);
            BlockReader reader = fixture.reader();
            for (int i = 0; i < 60; i++) {
                int queueId = model.random.nextInt(24);
                long offset = model.random.nextLong(model.endOffset(queueId) + 1);
                long timestamp = model.random.nextLong(-2000, 101_000);
                OptionalLong expected = model.queues.getOrDefault(queueId, List.of()).stream()
                        .filter(rec -> rec.nextOffset() > offset && rec.timestampDelta() >= timestamp)
                        .mapToLong(BlockModel.Rec::baseOffset)
                        .findFirst();
                assertThat(reader.offsetForTimestamp(queueId, offset, timestamp))
                        .isEqualTo(expected);
            }
        }
    }

    private static void footersSumUpTheModel(BlockFixture fixture, BlockModel model) {
        List<BlockFileFooter> footers =
                fixture.files.files().stream().map(BlockFile::footer).toList();
        List<BlockModel.Rec> recs =
                model.queues.values().stream().flatMap(List::stream).toList();
        assertThat(footers.stream().mapToLong(BlockFileFooter::offsetCount).sum())
                .isEqualTo(recs.stream().mapToLong(BlockModel.Rec::recordCount).sum());
        assertThat(footers.stream().mapToLong(BlockFileFooter::lowestLsn).min())
                .isEqualTo(footers.isEmpty() ? OptionalLong.empty() : OptionalLong.of(lowestLsn(recs)));
        assertThat(footers.stream()
                        .mapToLong(BlockFileFooter::maxTimestampDelta)
                        .max())
                .isEqualTo(
                        recs.stream().mapToLong(BlockModel.Rec::timestampDelta).max());
    }

    private static long lowestLsn(List<BlockModel.Rec> recs) {
        return recs.stream()
                .mapToLong(BlockModel.Rec::lsn)
                .filter(lsn -> lsn >= 0)
                .min()
                .orElse(BlockFileFooter.NO_REFERENCE);
    }
}
