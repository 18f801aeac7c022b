package io.rivulet.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.HeartbeatRequest;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.message.SaslAuthenticateRequest;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.message.SyncGroupRequest.SyncGroupRequestAssignment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class WireReaderTest {
    private static WireReader over(String hex) {
        return new WireReader(frame(hex));
    }

    private static ByteBuf frame(String hex) {
        return Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    @Test
    void aFaultSaysWhichFieldAndWhere() {
        // a heartbeat whose member id is longer than the frame
        ByteBuf frame = frame("0001 67  00000005  7fff 6d");
        assertThatThrownBy(() -> HeartbeatRequest.read(frame, (short) 0))
                .isInstanceOfSatisfying(MalformedRequestException.class, fault -> {
                    assertThat(fault.where()).isEqualTo("HeartbeatRequest.memberId");
                    assertThat(fault.offset()).isEqualTo(9);
                })
                .hasMessageContaining("32767 bytes are not in the 1 that remain");
    }

    @Test
    void theWholeFrameMustBeConsumed() {
        ByteBuf frame = Unpooled.buffer();
        new HeartbeatRequest().groupId("g").write(frame, (short) 4);
        frame.writeByte(0);
        assertThatThrownBy(() -> HeartbeatRequest.read(frame, (short) 4))
                .isInstanceOf(MalformedRequestException.class)
                .hasMessageContaining("1 bytes are left over");
    }

    @Test
    void headerAndBodyAreReadFromOneFrame() {
        ByteBuf frame = Unpooled.buffer();
        RequestHeader header = new RequestHeader().requestApiKey((short) 18).clientId("me");
        header.write(frame, (short) 2);
        ApiVersionsRequest body = new ApiVersionsRequest().clientSoftwareName("x");
        body.write(frame, (short) 3);

        WireReader in = new WireReader(frame);

        assertThat(RequestHeader.read(in, (short) 2)).isEqualTo(header);
        assertThat(ApiVersionsRequest.read(in, (short) 3)).isEqualTo(body);
        in.expectEnd("ApiVersionsRequest");
        assertThat(frame.isReadable()).isFalse();
    }

    @Test
    void aVarintHasAtMost31BitsInFiveBytes() {
        assertThat(over("ff ff ff ff 07").readUnsignedVarint("x")).isEqualTo(Integer.MAX_VALUE);
        assertThat(over("80 80 80 80 00").readUnsignedVarint("x")).isZero();
        for (String hex : List.of("ff ff ff ff 0f", "80 80 80 80 80 00", "80 80", "ff ff ff ff 7f")) {
            assertThatThrownBy(() -> over(hex).readUnsignedVarint("x")).isInstanceOf(MalformedRequestException.class);
        }
    }

    @Test
    void tagsMustAscendAndFillTheirSize() {
        assertThat(over("02 05 00 07 01 aa").readUnknownTags("x")).hasSize(2);
        assertThatThrownBy(() -> over("02 05 00 05 00").readUnknownTags("x")).hasMessageContaining("tag 5 comes after");
        assertThatThrownBy(() -> over("02 05 00 04 00").readUnknownTags("x")).hasMessageContaining("tag 4 comes after");
        assertThatThrownBy(() -> over("03 05 00 06 00").readUnknownTags("x")).hasMessageContaining("cannot be in");
        // a fetch response with a tag of two bytes for no node endpoints, which need one byte
        ByteBuf frame = frame("00000000 0000 00000000 01  01 00 02 01 00");
        assertThatThrownBy(() -> FetchResponse.read(frame, (short) 16)).hasMessageContaining("1 bytes shorter");
    }

    @Test
    void aKnownTagInAVersionWithoutItIsRefused() {
        ByteBuf frame = frame("00000000 0000 00000000 01  01 00 01 01");
        assertThatThrownBy(() -> FetchResponse.read(frame, (short) 12))
                .isInstanceOf(MalformedRequestException.class)
                .hasMessageContaining("tag 0 is not in version 12");
    }

    /** Each of these bytes becomes a character of three bytes. */
    @Test
    void textThatIsTooLongAfterItWasReplacedIsRefused() {
        for (boolean direct : new boolean[] {false, true}) {
            ByteBuf frame = direct ? Unpooled.directBuffer() : Unpooled.buffer();
            frame.writeShort(10_922).writeBytes("\u00ff".repeat(10_922).getBytes(StandardCharsets.ISO_8859_1));
            assertThat(new WireReader(frame).readString(false, false, "x")).isEqualTo("\ufffd".repeat(10_922));
            frame.clear();
            frame.writeShort(10_923).writeBytes("\u00ff".repeat(10_923).getBytes(StandardCharsets.ISO_8859_1));
            assertThatThrownBy(() -> new WireReader(frame).readString(false, false, "x"))
                    .isInstanceOf(MalformedRequestException.class)
                    .hasMessageContaining("is not UTF-8");
            frame.release();
        }
    }

    @Test
    void malformedUtf8IsReplacedAsTheClientsDo() {
        for (String hex : List.of("01", "ff", "c3a9", "c3", "eda080", "f09f9a80", "61ff62", "8080808080")) {
            byte[] bytes = HexFormat.of().parseHex(hex);
            ByteBuf heap = Unpooled.buffer().writeShort(bytes.length).writeBytes(bytes);
            ByteBuf direct = Unpooled.directBuffer().writeShort(bytes.length).writeBytes(bytes);
            String expected = new String(bytes, StandardCharsets.UTF_8);
            assertThat(new WireReader(heap).readString(false, false, "x")).isEqualTo(expected);
            assertThat(new WireReader(direct).readString(false, false, "x")).isEqualTo(expected);
            direct.release();
        }
    }

    @Test
    void aFrameMayBeginAnywhereInItsArray() {
        SyncGroupRequest request = new SyncGroupRequest()
                .groupId("\u00e9")
                .assignments(List.of(new SyncGroupRequestAssignment().assignment(new byte[] {1, 2, 3})));
        ByteBuf array = Unpooled.buffer().writeZero(7);
        request.write(array, (short) 5);
        ByteBuf frame = array.skipBytes(3).slice().skipBytes(4);

        assertThat(SyncGroupRequest.read(frame.duplicate(), (short) 5)).isEqualTo(request);
        assertThatThrownBy(() -> SyncGroupRequest.read(frame.slice(4, 2), (short) 5))
                .isInstanceOfSatisfying(
                        MalformedRequestException.class,
                        fault -> assertThat(fault.offset()).isEqualTo(1))
                .hasMessageContaining("2 bytes are not in the 1 that remain");
    }

    @Test
    void stringsAreWrittenAsTheJdkEncodesThem() {
        for (String text : List.of("", "a", "\u00e9", "\ud800", "a\udc00b", "\ud83d\ude80", "\ud83d", "\uffff\u07ff")) {
            byte[] expected = text.getBytes(StandardCharsets.UTF_8);
            for (ByteBuf target : List.of(Unpooled.buffer(), Unpooled.directBuffer())) {
                int size = WireSize.string(true, text, "x.y", (short) 0);
                WireWriter out = WireWriter.copying(target, size);
                out.writeString(true, text);
                out.finish();
                assertThat(target)
                        .isEqualTo(
                                Unpooled.buffer().writeByte(expected.length + 1).writeBytes(expected));
                target.release();
            }
        }
    }

    @Test
    void aStringThatIsTooLongIsRefusedInBothDirections() {
        HeartbeatRequest request = new HeartbeatRequest().groupId("x".repeat(32768));
        assertThatThrownBy(() -> request.sizeInBytes((short) 4))
                .isInstanceOf(UnsupportedFieldException.class)
                .hasMessageContaining("HeartbeatRequest.groupId in version 4");
        ByteBuf frame = Unpooled.buffer().writeBytes(new byte[] {(byte) 0x81, (byte) 0x80, 0x02});
        frame.writeZero(32768);
        assertThatThrownBy(() -> new WireReader(frame).readString(true, false, "x"))
                .hasMessageContaining("too long");
    }

    @Test
    void aVersionOutsideTheSchemaIsTheCallersMistake() {
        assertThatThrownBy(() -> HeartbeatRequest.read(Unpooled.EMPTY_BUFFER, (short) 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 to 4");
        assertThatThrownBy(() -> new HeartbeatRequest().sizeInBytes((short) -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void credentialsDoNotAppearInTheText() {
        SaslAuthenticateRequest request =
                new SaslAuthenticateRequest().authBytes("secret".getBytes(StandardCharsets.US_ASCII));
        assertThat(request).hasToString("SaslAuthenticateRequest(authBytes=6 bytes)");
    }

    @Test
    void aUuidIsPrintedAsTheToolsPrintIt() {
        Uuid uuid = new Uuid(0x1234_5678_9abc_def0L, -2L);
        assertThat(uuid).hasToString(new org.apache.kafka.common.Uuid(0x1234_5678_9abc_def0L, -2L).toString());
        assertThat(Uuid.parse(uuid.toString())).isEqualTo(uuid);
        assertThatThrownBy(() -> Uuid.parse("AAAA")).isInstanceOf(IllegalArgumentException.class);
    }
}
