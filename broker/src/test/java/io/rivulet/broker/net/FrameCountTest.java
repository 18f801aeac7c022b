package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FrameCountTest {
    private static final int ROUNDS = 2_000;
    private static final int MAX_FRAMES = 20;
    private static final int MAX_FRAME_BYTES = 300;

    private final FrameCount count = new FrameCount();

    @Test
    void framesAreCountedHoweverTheirBytesArrive() {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            FrameCount counted = new FrameCount();
            ByteBuf stream = Unpooled.buffer();
            int[] ends = new int[random.nextInt(MAX_FRAMES)];
            for (int i = 0; i < ends.length; i++) {
                byte[] frame = new byte[1 + random.nextInt(random.nextBoolean() ? 3 : MAX_FRAME_BYTES)];
                random.nextBytes(frame);
                stream.writeInt(frame.length).writeBytes(frame);
                ends[i] = stream.writerIndex();
            }
            int most = 1 + random.nextInt(random.nextBoolean() ? 5 : MAX_FRAME_BYTES);
            int complete = 0;
            while (stream.isReadable()) {
                ByteBuf part = stream.readSlice(Math.min(stream.readableBytes(), 1 + random.nextInt(most)));
                int readable = part.readableBytes();
                counted.add(part);
                while (complete < ends.length && ends[complete] <= stream.readerIndex()) {
                    complete++;
                }
                boolean isAtEnd = complete > 0 && ends[complete - 1] == stream.readerIndex();
                assertThat(counted.frames()).as("-Drivulet.seed=" + seed).isEqualTo(complete);
                assertThat(counted.isWhole()).as("-Drivulet.seed=" + seed).isEqualTo(isAtEnd);
                assertThat(part.readableBytes()).isEqualTo(readable);
            }
        }
    }

    @Test
    void nothingIsWhole() {
        assertThat(count.isWhole()).isTrue();
        count.add(Unpooled.EMPTY_BUFFER);
        assertThat(count.isWhole()).isTrue();
        assertThat(count.frames()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void afterALengthThatIsNoneNothingIsWhole(int length) {
        count.add(Unpooled.buffer().writeInt(1).writeByte(7));
        assertThat(count.isWhole()).isTrue();
        count.add(Unpooled.buffer().writeInt(length));
        assertThat(count.isWhole()).isFalse();
        count.add(Unpooled.buffer().writeInt(1).writeByte(7));
        assertThat(count.isWhole()).isFalse();
        assertThat(count.frames()).isEqualTo(1);
    }

    @Test
    void theLongestFrameIsNotWhole() {
        count.add(Unpooled.buffer().writeInt(Integer.MAX_VALUE).writeLong(7));
        assertThat(count.isWhole()).isFalse();
    }
}
