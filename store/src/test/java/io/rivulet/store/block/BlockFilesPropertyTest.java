package io.rivulet.store.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.cache.PageClass;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Whatever was written is found and read back, from any offset, in pieces of any size. */
class BlockFilesPropertyTest {

    @Property(tries = 60)
    void whatWasSweptIsReadBackFromAnyOffset(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 5) int cycles,
            @ForAll @IntRange(min = 1, max = 60) int queueCount)
            throws IOException {
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(seed);
            fixture.limits = seed % 2 == 0 ? Fixture.SMALL : Fixture.MANY_BLOCKS;
            fill(fixture, model, cycles, queueCount);
            footersSumUpTheModel(fixture, model);
            for (int queueId = 0; queueId < 2 * queueCount; queueId++) {
                readsLikeTheModel(fixture, model, queueId, 0);
                if (model.endOffset(queueId) > 0) {
                    readsLikeTheModel(fixture, model, queueId, model.random.nextLong(model.endOffset(queueId)));
                }
            }
        }
    }

    /** Far apart, so that the filters are of the kind that is sometimes wrong, and files are asked in vain. */
    @Property(tries = 40)
    void queuesFarApartAreFoundAndOthersAreNot(@ForAll long seed) throws IOException {
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(seed);
            for (int cycle = 1; cycle <= 12; cycle++) {
                Map<Integer, List<Model.Rec>> added = new TreeMap<>();
                for (int i = 0; i < 6; i++) {
                    int queueId = 1000 * model.random.nextInt(40);
                    added.computeIfAbsent(queueId, q -> model.append(q, 1 + model.random.nextInt(8), 100));
                }
                fixture.sweep(cycle, added);
            }
            for (int queueId = 0; queueId < 40_000; queueId += 250) {
                readsLikeTheModel(fixture, model, queueId, 0);
                readsLikeTheModel(fixture, model, queueId, model.random.nextLong(model.endOffset(queueId) + 1));
            }
        }
    }

    @Property(tries = 40)
    void aTimestampIsFoundWhereTheModelHasIt(@ForAll long seed) throws IOException {
        try (Fixture fixture = new Fixture()) {
            Model model = new Model(seed);
            fill(fixture, model, 3, 12);
            BlockReader reader = fixture.reader();
            for (int i = 0; i < 60; i++) {
                int queueId = model.random.nextInt(24);
                long offset = model.random.nextLong(model.endOffset(queueId) + 1);
                long timestamp = model.random.nextLong(-2000, 101_000);
                OptionalLong expected = model.queues.getOrDefault(queueId, List.of()).stream()
                        .filter(rec -> rec.nextOffset() > offset && rec.timestampDelta() >= timestamp)
                        .mapToLong(Model.Rec::baseOffset)
                        .findFirst();
                assertThat(reader.offsetForTimestamp(queueId, offset, timestamp))
                        .isEqualTo(expected);
            }
        }
    }

    private static void footersSumUpTheModel(Fixture fixture, Model model) {
        List<BlockFileFooter> footers =
                fixture.files.files().stream().map(BlockFile::footer).toList();
        List<Model.Rec> recs =
                model.queues.values().stream().flatMap(List::stream).toList();
        assertThat(footers.stream().mapToLong(BlockFileFooter::offsetCount).sum())
                .isEqualTo(recs.stream().mapToLong(Model.Rec::recordCount).sum());
        assertThat(footers.stream().mapToLong(BlockFileFooter::lowestLsn).min())
                .isEqualTo(footers.isEmpty() ? OptionalLong.empty() : OptionalLong.of(lowestLsn(recs)));
        assertThat(footers.stream()
                        .mapToLong(BlockFileFooter::maxTimestampDelta)
                        .max())
                .isEqualTo(recs.stream().mapToLong(Model.Rec::timestampDelta).max());
    }

    private static long lowestLsn(List<Model.Rec> recs) {
        return recs.stream()
                .mapToLong(Model.Rec::lsn)
                .filter(lsn -> lsn >= 0)
                .min()
                .orElse(BlockFileFooter.NO_REFERENCE);
    }

    /** Only even queues, so that half of the range is absent. */
    static void fill(Fixture fixture, Model model, int cycles, int queueCount) throws IOException {
        for (int cycle = 1; cycle <= cycles; cycle++) {
            Map<Integer, List<Model.Rec>> added = new TreeMap<>();
            for (int q = 0; q < queueCount; q++) {
                int count = model.random.nextInt(3) == 0 ? 0 : model.random.nextInt(40);
                added.put(2 * q, model.append(2 * q, count, 300));
            }
            fixture.sweep(cycle, added);
        }
    }

    static void readsLikeTheModel(Fixture fixture, Model model, int queueId, long offset) throws IOException {
        List<Model.Rec> expected = model.queues.getOrDefault(queueId, List.of()).stream()
                .filter(rec -> rec.nextOffset() > offset)
                .toList();
        PageClass pageClass = model.random.nextBoolean() ? PageClass.TAIL : PageClass.SCAN;
        byte[] read = fixture.readAll(queueId, offset, 1 + model.random.nextInt(9000), pageClass);
        assertThat(read).isEqualTo(Model.stream(expected).array());
    }
}
