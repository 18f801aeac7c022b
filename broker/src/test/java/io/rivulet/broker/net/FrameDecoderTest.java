package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.rivulet.broker.call.TestRoutes;
import io.rivulet.protocol.message.ApiKey;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Frames are decoded however the reads divide them. While there is no memory, nothing is read. */
final class FrameDecoderTest {
    private static final int MIB = 1 << 20;
    private static final int LARGEST = 4 * MIB;
    private static final short PRODUCE = 0;
    private static final short VERSION = 9;

    private final RequestMemory memory = new RequestMemory(3L * LARGEST, LARGEST, 1000, System::nanoTime);
    private final EmbeddedChannel channel = channel();

    private EmbeddedChannel channel() {
        EmbeddedChannel made = new EmbeddedChannel();
        made.pipeline()
                .addLast(new FrameDecoder(
                        TestRoutes.table(ApiKey.PRODUCE), FrameRules.fixed(memory, LARGEST), new ReadGate(made)));
        return made;
    }

    @AfterEach
    void allMemoryIsReleased() {
        channel.finishAndReleaseAll();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void framesAreDecodedHoweverTheReadsDivideThem() {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            int count = 1 + random.nextInt(5);
            ByteBuf all = Unpooled.buffer();
            byte[][] sent = new byte[count][];
            for (int i = 0; i < count; i++) {
                sent[i] = new byte[8 + random.nextInt(random.nextInt(10) == 0 ? 2 * MIB : 3000)];
                random.nextBytes(sent[i]);
                sent[i][0] = 0;
                sent[i][1] = PRODUCE;
                sent[i][2] = 0;
                sent[i][3] = VERSION;
                all.writeInt(sent[i].length).writeBytes(sent[i]);
            }
            while (all.isReadable()) {
                int bytes = Math.min(all.readableBytes(), 1 + random.nextInt(1 + random.nextInt(100_000)));
                channel.writeInbound(channel.alloc().directBuffer(bytes).writeBytes(all, bytes));
            }
            for (byte[] bytes : sent) {
                Frame frame = channel.readInbound();
                assertThat(frame.bytes().readableBytes()).as("seed " + seed).isEqualTo(bytes.length);
                byte[] got = new byte[bytes.length];
                frame.bytes().getBytes(frame.bytes().readerIndex(), got);
                assertThat(got).as("seed " + seed).isEqualTo(bytes);
                frame.release();
            }
            all.release();
        }
    }

    @Test
    void anAnnouncedLengthTakesNoMemory() {
        channel.writeInbound(header(LARGEST));

        assertThat(memory.usedBytes()).isBetween(1L, 4096L);
    }

    @Test
    void aLongFrameOfAnApiThatIsNotServedIsRefusedEarly() {
        channel.writeInbound(
                Unpooled.buffer().writeInt(LARGEST).writeShort(4711).writeShort(0));

        assertThatThrownBy(() -> channel.writeInbound(Unpooled.wrappedBuffer(new byte[100_000])))
                .isInstanceOf(RejectedRequestException.class)
                .hasMessageContaining("not served");
        assertThat(memory.usedBytes()).isLessThan(64 << 10);
    }

    /** The API of a request is not known before its fourth byte. */
    @Test
    void aLongFrameWhoseFirstReadEndsInItsHeaderIsDecoded() {
        for (int headerBytes = 1; headerBytes < 4; headerBytes++) {
            ByteBuf frame = header(MIB).writeZero(MIB - 4);

            channel.writeInbound(frame.readRetainedSlice(4 + headerBytes));
            channel.writeInbound(frame);

            Frame whole = channel.readInbound();
            assertThat(whole.bytes().readableBytes()).isEqualTo(MIB);
            whole.release();
        }
    }

    @Test
    void impossibleLengthsAreRefused() {
        for (int length : new int[] {LARGEST + 1, -1, 7, 0}) {
            EmbeddedChannel other = channel();
            assertThatThrownBy(() -> other.writeInbound(Unpooled.buffer().writeInt(length)))
                    .isInstanceOf(RejectedRequestException.class);
            other.finishAndReleaseAll();
        }
    }

    @Test
    void aClientThatSpeaksTlsIsToldSo() {
        ByteBuf hello = Unpooled.wrappedBuffer(new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3});
        assertThatThrownBy(() -> channel.writeInbound(hello))
                .isInstanceOf(RejectedRequestException.class)
                .hasMessage("the client speaks TLS, and this listener is not encrypted");
    }

    @Test
    void recordsThatComeWhileTheGateIsClosedAreCharged() {
        ReadGate gate = new ReadGate(channel);
        EmbeddedChannel closed = new EmbeddedChannel();
        closed.pipeline()
                .addLast(new FrameDecoder(TestRoutes.table(ApiKey.PRODUCE), FrameRules.fixed(memory, LARGEST), gate));
        gate.set(ReadGate.CALLS, false);
        for (int records = 1; records <= 4; records++) {
            closed.writeInbound(Unpooled.directBuffer(16 << 10).writeZero(16 << 10));
            assertThat(memory.usedBytes()).isGreaterThanOrEqualTo(records * (16L << 10));
        }
        closed.finishAndReleaseAll();
    }

    /** As io_uring does when a client closes its end, whether it is to be read or not. */
    @Test
    void readsThatTheGateDidNotAskForHaveALimit() {
        EmbeddedChannel other = new EmbeddedChannel();
        ReadGate gate = new ReadGate(other);
        other.pipeline()
                .addLast(new FrameDecoder(TestRoutes.table(ApiKey.PRODUCE), FrameRules.fixed(memory, LARGEST), gate));
        gate.set(ReadGate.CALLS, false);
        for (int read = 1; read <= 4; read++) {
            other.writeInbound(Unpooled.directBuffer(64 << 10).writeZero(64 << 10));
        }
        ByteBuf oneMore = Unpooled.directBuffer(1).writeZero(1);

        assertThatThrownBy(() -> other.writeInbound(oneMore)).isInstanceOf(RejectedRequestException.class);

        assertThat(memory.usedBytes()).isZero();
        other.finishAndReleaseAll();
    }

    @Test
    void theSocketIsNotReadUntilThereIsMemory() {
        RequestMemory.Share all = memory.share(100, () -> {}, () -> {});
        all.takeAnyway(2 * LARGEST);
        RequestMemory.Share first = memory.share(100, () -> {}, () -> {});
        assertThat(first.take(100)).isTrue();

        channel.writeInbound(header(1000));
        assertThat(channel.config().isAutoRead()).isFalse();
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[1000 - 4]));
        Object early = channel.readInbound();
        assertThat(early).isNull();

        all.release();
        channel.runPendingTasks();

        assertThat(channel.config().isAutoRead()).isTrue();
        Frame frame = channel.readInbound();
        assertThat(frame.bytes().readableBytes()).isEqualTo(1000);
        frame.release();
        first.release();
    }

    /** One read of an encrypted connection has several records: the rest may arrive while the first bytes wait. */
    @Test
    void whatArrivesWhileItsFrameWaitsIsChargedOnce() {
        RequestMemory.Share all = memory.share(100, () -> {}, () -> {});
        all.takeAnyway(2 * LARGEST);
        RequestMemory.Share first = memory.share(100, () -> {}, () -> {});
        assertThat(first.take(100)).isTrue();
        channel.writeInbound(header(1000));
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[1000 - 4]));

        first.release(); // the frame that waits is the next that need not
        channel.runPendingTasks();

        Frame frame = channel.readInbound();
        assertThat(memory.usedBytes()).isEqualTo(2L * LARGEST + 1000);
        frame.release();
        assertThat(memory.usedBytes()).isEqualTo(2L * LARGEST);
        all.release();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void aSmallFrameDoesNotKeepTheLargeBufferOfItsRead() {
        ByteBuf read = channel.alloc().directBuffer(64 << 10);
        read.writeBytes(header(100)).writeZero(96);

        channel.writeInbound(read);

        assertThat(read.refCnt()).isZero();
        Frame frame = channel.readInbound();
        frame.release();
    }

    /** A produce request is stamped in its frame, and stored through a view of it. */
    @Test
    void aFrameOfTwoReadsIsInOnePiece() {
        EmbeddedChannel other = new EmbeddedChannel();
        ReadGate gate = new ReadGate(other);
        other.pipeline()
                .addLast(new FrameDecoder(TestRoutes.table(ApiKey.PRODUCE), FrameRules.fixed(memory, LARGEST), gate));
        gate.set(ReadGate.CALLS, false);
        other.writeInbound(header(1000).writeZero(100));
        other.writeInbound(Unpooled.buffer().writeZero(1000 - 4 - 100));
        gate.set(ReadGate.CALLS, true);

        Frame frame = other.readInbound();
        ByteBuffer view = frame.bytes().nioBuffer();
        frame.bytes().setByte(frame.bytes().readerIndex() + 999, 7);

        assertThat(view.get(999)).isEqualTo((byte) 7);
        frame.release();
        other.finishAndReleaseAll();
    }

    private static ByteBuf header(int length) {
        return Unpooled.buffer().writeInt(length).writeShort(PRODUCE).writeShort(VERSION);
    }
}
