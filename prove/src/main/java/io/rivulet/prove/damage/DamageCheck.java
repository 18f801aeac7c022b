package io.rivulet.prove.damage;

import io.rivulet.prove.Check;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/** Damages files of a data directory and opens it. Immutable. */
public final class DamageCheck implements Check {
    private static final int POINTS = 2_000;
    private static final int ONE_IN = 4;
    /** Of a directory whose broker was killed, the last segment may end anywhere: its end is a torn write. */
    private static final Pattern NOTHING = Pattern.compile("");

    private final Opened.Opener opener;

    public DamageCheck() {
        this(Opened::byBroker);
    }

    DamageCheck(Opened.Opener opener) {
        this.opener = opener;
    }

    @Override
    public String name() {
        return "damage";
    }

    @Override
    public String promise() {
        return "files that are changed, cut, missing, swapped, doubled or old: no altered byte is served, nothing is"
                + " silently missing";
    }

    @Override
    public int points() {
        return POINTS;
    }

    @Override
    public int threads() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public Points open(Path scratch, Path kept) throws Exception {
        return new FreshSamples(
                scratch, Sample.SMALL_SEGMENT_BYTES, (sample, directory) -> on(sample, directory, kept));
    }

    Points on(Sample sample, Path scratch, Path kept) {
        return new Damaging(sample, scratch, kept);
    }

    /** Thread-safe: each point has its own directory. */
    private final class Damaging implements Points {
        private final Sample sample;
        private final Path scratch;
        private final Path kept;

        Damaging(Sample sample, Path scratch, Path kept) {
            this.sample = sample;
            this.scratch = scratch;
            this.kept = kept;
        }

        @Override
        public Found run(long seed) throws IOException {
            boolean killed = new Random(seed).nextInt(ONE_IN) == 0;
            Sample.Base base = killed ? sample.killed() : sample.closed();
            PointFiles files = new PointFiles("damage-" + seed, base.directory(), scratch, kept);
            Path directory = files.copy();
            Damage damage = damage(directory, seed);
            List<String> violations =
                    new DamagePoint(directory, sample.segmentBytes(), base.truth(), opener).run(damage.touched());
            String what = damage.what() + (killed ? " (after a kill)" : "");
            return files.found(what, violations, again -> damage(again, seed));
        }

        /** Does the same to a directory that is alike. */
        private Damage damage(Path directory, long seed) throws IOException {
            Random random = new Random(seed);
            boolean killed = random.nextInt(ONE_IN) == 0;
            Damage damage = new Damage(directory, sample.older(), random);
            Pattern spared = killed ? lastSegment(directory) : NOTHING;
            for (int i = random.nextInt(ONE_IN) == 0 ? 2 : 1; i > 0; i--) {
                damage.one(spared);
            }
            return damage;
        }

        @Override
        public void close() {
            // the scratch directory is deleted by the runner
        }
    }

    private static Pattern lastSegment(Path directory) throws IOException {
        String last = Tree.files(directory).stream()
                .filter(name -> name.endsWith(".segment"))
                .reduce((a, b) -> b)
                .orElseThrow();
        return Pattern.compile(Pattern.quote(last) + "|.*\\.spare");
    }
}
