package io.rivulet.prove.damage;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What came of a start: it was refused, or the broker served a picture. Immutable.
 *
 * @param refusal null if the broker served
 * @param served null if the start was refused
 */
record Opened(@Nullable Throwable refusal, @Nullable Picture served) {
    /** How a directory is opened. Tests plant bugs here. */
    interface Opener {
        Opened open(Path directory, long segmentBytes, Picture truth) throws IOException;
    }

    /** Starts a broker and asks it for everything. */
    static Opened byBroker(Path directory, long segmentBytes, Picture truth) throws IOException {
        SmallBroker broker;
        try {
            broker = SmallBroker.start(directory, segmentBytes);
        } catch (IOException | RuntimeException | Error e) {
            return new Opened(e, null);
        }
        try (broker) {
            Picture served = PictureReader.read(broker.servers(), truth);
            Throwable failure = broker.failure();
            if (failure != null) {
                throw new IOException("the broker has failed", failure);
            }
            return new Opened(null, served);
        }
    }
}
