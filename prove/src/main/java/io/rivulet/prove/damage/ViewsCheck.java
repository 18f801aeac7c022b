package io.rivulet.prove.damage;

import io.rivulet.prove.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * All state is a function of the log: while the log was never trimmed, all other files may go, except the last copy of
 * the manifest. Deletes or damages any of them, up to all. Immutable.
 */
public final class ViewsCheck implements Check {
    private static final int POINTS = 40;
    private static final int[] PERCENT_HIT = {5, 30, 100};
    private static final Pattern REBUILDABLE =
            Pattern.compile("log/(?!manifest-).*\\.snapshot|log/log\\.state|blocks/.*");

    private final Opened.Opener opener;

    public ViewsCheck() {
        this(Opened::byBroker);
    }

    ViewsCheck(Opened.Opener opener) {
        this.opener = opener;
    }

    @Override
    public String name() {
        return "views";
    }

    @Override
    public String promise() {
        return "while the log is whole, all else but the last manifest may be lost: a repair rebuilds the state";
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
                scratch, Sample.LARGE_SEGMENT_BYTES, (sample, directory) -> on(sample, directory, kept));
    }

    Points on(Sample sample, Path scratch, Path kept) {
        return new Points() {
            @Override
            public Found run(long seed) throws IOException {
                return point(sample, scratch, kept, seed);
            }

            @Override
            public void close() {
                // the scratch directory is deleted by the runner
            }
        };
    }

    private Check.Found point(Sample sample, Path scratch, Path kept, long seed) throws IOException {
        PointFiles files = new PointFiles("views-" + seed, sample.closed().directory(), scratch, kept);
        Path directory = files.copy();
        List<String> touched = damage(directory, seed);
        List<String> violations = new DamagePoint(
                        directory, sample.segmentBytes(), sample.closed().truth(), opener, false)
                .run(touched);
        return files.found(String.join(", ", touched), violations, again -> damage(again, seed));
    }

    private static List<String> damage(Path directory, long seed) throws IOException {
        Random random = new Random(seed);
        List<String> touched = new ArrayList<>();
        int percent = PERCENT_HIT[random.nextInt(PERCENT_HIT.length)];
        boolean deletes = random.nextBoolean();
        for (String file : Tree.files(directory)) {
            if (REBUILDABLE.matcher(file).matches() && random.nextInt(100) < percent) {
                touched.add(file);
                Path path = directory.resolve(file);
                if (deletes) {
                    Files.delete(path);
                } else {
                    byte[] bytes = Files.readAllBytes(path);
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                    Files.write(path, bytes);
                }
            }
        }
        return touched;
    }
}
