package io.rivulet.protocol.message.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.message.differential.Console;
import io.rivulet.protocol.message.differential.Schemas;
import io.rivulet.protocol.message.differential.ValidFrames;
import io.rivulet.protocol.wire.MalformedRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Frames of a hostile client that is not authenticated. */
class FuzzTest {
    private static final long FRAMES = Long.getLong("rivulet.fuzz.frames", 1_000_000);
    private static final int THREADS = 2;
    private static final int FRAMES_PER_VERSION = 6;
    private static final int SWOLLEN_ELEMENTS = 20_000;
    private static final List<Swelling> SWELLINGS =
            List.of(new Swelling("", false), new Swelling("ab", false), new Swelling("\u00e9", true));

    /** The elements of a swollen frame. */
    private record Swelling(String strings, boolean unknownTags) {}

    @Test
    void hostileFramesAreRefusedAndTheirCostIsBounded() throws Exception {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Console.print(String.format(
                "Fuzz: seed %d (-Drivulet.seed=...), %d frames (-Drivulet.fuzz.frames=...)", seed, FRAMES));
        List<Corpus.Frame> corpus = Corpus.ofEveryVersion(FRAMES_PER_VERSION, seed);
        Examiner.warmUp(corpus);
        long start = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Examiner> examiners = new ArrayList<>();
        try {
            List<Future<Examiner>> runs = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                runs.add(threads.submit(new FuzzRun(corpus, seed, i, FRAMES, THREADS)));
            }
            for (Future<Examiner> run : runs) {
                examiners.add(run.get());
            }
        } finally {
            threads.shutdownNow();
        }
        long accepted = examiners.stream().mapToLong(Examiner::accepted).sum();
        long refused = examiners.stream().mapToLong(Examiner::refused).sum();
        Console.print(String.format(
                "Fuzz: %d frames in %.1f s from %d valid ones, %d refused, %d accepted;"
                        + " at most %.1f bytes allocated per byte of frames over 4 KiB, %d bytes for any frame",
                accepted + refused,
                (System.nanoTime() - start) / 1e9,
                corpus.size(),
                refused,
                accepted,
                examiners.stream().mapToDouble(Examiner::greatestMultiple).max().orElse(0),
                examiners.stream().mapToLong(Examiner::greatestAllocation).max().orElse(0)));
        assertThat(accepted + refused).isEqualTo(FRAMES);
        assertThat(refused).isGreaterThan(FRAMES / 2);
        assertThat(accepted).isGreaterThan(FRAMES / 100);
    }

    /** Valid frames of the smallest elements only, which need the most heap for each byte. */
    @Test
    void theCostOfSwollenFramesIsBounded() {
        Examiner.warmUp(Corpus.ofEveryVersion(1, 1));
        Examiner examiner = new Examiner();
        for (MessageSpec message : Schemas.generated()) {
            short version = (short) message.root().versions().high();
            ValidFrames frames = new ValidFrames(message, version);
            for (Swelling swelling : SWELLINGS) {
                for (byte[] bytes : frames.swollen(SWOLLEN_ELEMENTS, swelling.strings, swelling.unknownTags)) {
                    Corpus.Frame origin = new Corpus.Frame(message, version, Corpus.decoder(message), bytes, List.of());
                    examiner.examine(origin, bytes, Examiner.Memory.HEAP);
                }
            }
        }
        Console.print(String.format(
                "Swollen frames: %d accepted, %d refused; at most %.1f bytes allocated per byte",
                examiner.accepted(), examiner.refused(), examiner.greatestMultiple()));
        assertThat(examiner.accepted()).isPositive();
    }

    @Test
    void aDecoderThatThrowsSomethingElseIsFound() {
        assertThatThrownBy(() -> fuzz((frame, version) -> frame.getInt(frame.readerIndex() + frame.readInt())))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Not a MalformedRequestException");
    }

    @Test
    void aDecoderThatTrustsACountIsFound() {
        assertThatThrownBy(() -> fuzz(FuzzTest::believing))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("bytes allocated");
    }

    private static Object believing(ByteBuf frame, short version) {
        int count = frame.readableBytes() < 4 ? 0 : frame.readInt();
        if (count < 0 || count > 10_000_000) {
            throw new MalformedRequestException("Test.count", 0, "is out of range");
        }
        return new ArrayList<>(count);
    }

    private static void fuzz(Corpus.Decoder decoder) {
        List<Corpus.Frame> corpus = Corpus.ofEveryVersion(1, 1).stream()
                .map(frame -> frame.decodedBy(decoder))
                .toList();
        new FuzzRun(corpus, 1, 0, 100_000, 1).call();
    }
}
