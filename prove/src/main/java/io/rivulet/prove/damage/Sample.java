package io.rivulet.prove.damage;

import io.rivulet.prove.Runner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Small data directories with every kind of file, and what a broker says that opens them. Immutable; the directories
 * are never changed.
 *
 * @param closed after a clean stop
 * @param killed a copy of a directory while its broker runs and rests
 * @param older copies of the directory at earlier stages
 */
record Sample(Base closed, Base killed, List<Path> older, long segmentBytes) {
    /** The segments of a log that is trimmed. */
    static final long SMALL_SEGMENT_BYTES = 256 << 10;
    /** The segments of a log that is never trimmed. */
    static final long LARGE_SEGMENT_BYTES = 4 << 20;

    private static final int STAGES = 3;

    /** A directory and the truth about it. */
    record Base(Path directory, Picture truth) {}

    static Sample make(Path scratch, long segmentBytes) throws Exception {
        Path live = Files.createDirectory(scratch.resolve("live"));
        Path killed = scratch.resolve("killed");
        List<Path> older = new ArrayList<>();
        for (int stage = 0; stage < STAGES; stage++) {
            try (SmallBroker broker = SmallBroker.start(live, segmentBytes);
                    SampleLoad load = new SampleLoad(broker.servers(), stage)) {
                load.run();
                if (stage == STAGES - 1) {
                    load.awaitRest(live);
                    Tree.copy(live, killed);
                }
            }
            if (stage < STAGES - 1) {
                Path copy = scratch.resolve("older-" + stage);
                Tree.copy(live, copy);
                older.add(copy);
            }
        }
        return new Sample(
                base(live, scratch.resolve("opened"), segmentBytes),
                base(killed, scratch.resolve("opened"), segmentBytes),
                older,
                segmentBytes);
    }

    private static Base base(Path directory, Path scratch, long segmentBytes) throws IOException {
        Tree.copy(directory, scratch);
        try (SmallBroker broker = SmallBroker.start(scratch, segmentBytes)) {
            return new Base(directory, PictureReader.read(broker.servers(), null));
        } finally {
            Runner.delete(scratch);
        }
    }
}
