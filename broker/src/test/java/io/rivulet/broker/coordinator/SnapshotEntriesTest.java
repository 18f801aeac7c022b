package io.rivulet.broker.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SnapshotEntriesTest {
    private static byte[] written() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        WritableByteChannel out = Channels.newChannel(bytes);
        SnapshotEntries.write(List.of(ByteBuffer.wrap(new byte[] {1, 2, 3}), ByteBuffer.wrap(new byte[] {4})), out);
        SnapshotEntries.write(List.of(), out);
        SnapshotEntries.write(List.of(ByteBuffer.wrap(new byte[] {5})), out);
        SnapshotEntries.writeEnd(out);
        return bytes.toByteArray();
    }

    private static List<Integer> read(byte[] snapshot) throws IOException {
        List<Integer> firstBytes = new ArrayList<>();
        SnapshotEntries.read(
                SnapshotEntries.reader(Channels.newChannel(new ByteArrayInputStream(snapshot))),
                entry -> firstBytes.add((int) entry.get()));
        return firstBytes;
    }

    @Test
    void entriesHaveTheirFixedBytesAndAreRead() throws IOException {
        assertThat(HexFormat.of().formatHex(written()))
                .isEqualTo("00000003" + "010203" + "00000001" + "04" + "00000001" + "05" + "00000000");
        assertThat(read(written())).containsExactly(1, 4, 5);
    }

    @Test
    void aSnapshotThatEndsTooEarlyFails() throws IOException {
        byte[] whole = written();
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> read(part)).isInstanceOf(EOFException.class);
        }
    }
}
