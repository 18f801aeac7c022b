package io.rivulet.protocol.message.fuzz;

import io.netty.buffer.ByteBuf;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.message.differential.Schemas;
import io.rivulet.protocol.message.differential.ValidFrames;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Valid frames of every message in every version, each with its decoder. */
final class Corpus {
    /** Decodes a whole frame. */
    interface Decoder {
        Object read(ByteBuf frame, short version);
    }

    /** A valid frame and the places to attack. */
    @SuppressWarnings("ArrayRecordComponent")
    record Frame(MessageSpec message, short version, Decoder decoder, byte[] bytes, List<FrameMap.Spot> spots) {
        Frame decodedBy(Decoder other) {
            return new Frame(message, version, other, bytes, spots);
        }

        @Override
        public String toString() {
            return message.name() + " version " + version;
        }
    }

    private Corpus() {}

    static List<Frame> ofEveryVersion(int framesEach, long seed) {
        Random random = new Random(seed);
        List<Frame> frames = new ArrayList<>();
        for (MessageSpec message : Schemas.generated()) {
            Decoder decoder = decoder(message);
            for (int v = message.root().versions().low();
                    v <= message.root().versions().high();
                    v++) {
                for (byte[] bytes : new ValidFrames(message, v).random(framesEach, random)) {
                    frames.add(new Frame(message, (short) v, decoder, bytes, FrameMap.spots(message, v, bytes)));
                }
            }
        }
        return List.copyOf(frames);
    }

    static Decoder decoder(MessageSpec message) {
        Class<?> type = Schemas.ours(message);
        try {
            MethodHandle read = MethodHandles.lookup()
                    .findStatic(type, "read", MethodType.methodType(type, ByteBuf.class, short.class))
                    .asType(MethodType.methodType(Object.class, ByteBuf.class, short.class));
            return (frame, version) -> {
                try {
                    return (Object) read.invokeExact(frame, version);
                } catch (RuntimeException | Error e) {
                    throw e;
                } catch (Throwable e) {
                    throw new IllegalStateException(e);
                }
            };
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
