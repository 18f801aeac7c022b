package io.rivulet.protocol.message.fuzz;

import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/** A share of the frames of one seed. A frame depends on the seed and its number only. */
final class FuzzRun implements Callable<Examiner> {
    private final List<Corpus.Frame> corpus;
    private final long seed;
    private final long first;
    private final long end;
    private final long step;

    FuzzRun(List<Corpus.Frame> corpus, long seed, long first, long end, long step) {
        this.corpus = corpus;
        this.seed = seed;
        this.first = first;
        this.end = end;
        this.step = step;
    }

    @Override
    public Examiner call() {
        Examiner examiner = new Examiner();
        for (long number = first; number < end; number += step) {
            examine(examiner, number);
        }
        return examiner;
    }

    private void examine(Examiner examiner, long number) {
        SplittableRandom random = new SplittableRandom(seed + number);
        Corpus.Frame origin = corpus.get(random.nextInt(corpus.size()));
        byte[] other = corpus.get(random.nextInt(corpus.size())).bytes();
        byte[] hostile = new Mutator(random).mutate(origin, other);
        int place = random.nextInt(16);
        Examiner.Memory memory =
                place > 2 ? Examiner.Memory.HEAP : place > 0 ? Examiner.Memory.DIRECT : Examiner.Memory.COMPOSITE;
        try {
            examiner.examine(origin, hostile, memory);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    "Frame " + number + " of seed " + seed + ", " + origin + " in " + memory + ": " + e.getMessage()
                            + "\n" + HexFormat.of().formatHex(hostile),
                    e);
        }
    }
}
