package io.rivulet.cluster.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class ShardNodeTest {
    private static final ShardNode OWNED =
            ShardNode.NEW.claimedBy(new Incarnation(7, -1)).withLog(ByteBuffer.wrap(new byte[] {1, 2, 3}));

    @Test
    void aNodeIsReadAsItWasWritten() throws IOException {
        ShardNode released = OWNED.released(false);

        assertThat(ShardNode.decode(OWNED.encode())).isEqualTo(OWNED);
        assertThat(ShardNode.decode(released.encode())).isEqualTo(released).isNotEqualTo(OWNED.released(true));
        assertThat(ShardNode.decode(ShardNode.NEW.encode())).isEqualTo(ShardNode.NEW);
    }

    @Test
    void theTimeIsKeptWithTheNextRecordOfTheLog() throws IOException {
        ShardNode since = OWNED.since(1_800_000_000_000L);

        assertThat(ShardNode.decode(since.withLog(ByteBuffer.allocate(9)).encode())
                        .sinceMillis())
                .isEqualTo(1_800_000_000_000L);
        assertThat(since.released(false).sinceMillis()).isZero();
        assertThat(since).isNotEqualTo(OWNED);
    }

    @Test
    void aNodeOfTheFirstVersionHasNoTime() throws IOException {
        ByteBuffer later = OWNED.since(77).encode();
        ByteBuffer first = ByteBuffer.allocate(later.limit() - Long.BYTES);
        first.put(later.slice(0, 36)).put(later.slice(44, later.limit() - 44)).rewind();
        first.putInt(8, 1);
        CRC32C crc = new CRC32C();
        crc.update(first.slice(8, first.limit() - 8));
        first.putInt(4, (int) crc.getValue());

        assertThat(ShardNode.decode(first)).isEqualTo(OWNED);
    }

    @Test
    void eachClaimHasAnotherEpochAndKeepsTheLog() {
        ShardNode again = OWNED.claimedBy(new Incarnation(7, -1));

        assertThat(again.epoch()).isEqualTo(OWNED.epoch() + 1);
        assertThat(again.log()).isEqualTo(OWNED.log());
        assertThat(again.mustWait()).isTrue();
    }

    @Test
    void anAlteredBitIsFound() {
        int bits = OWNED.encode().limit() * Byte.SIZE;
        for (int bit = 0; bit < bits; bit++) {
            ByteBuffer altered = OWNED.encode();
            int at = bit / Byte.SIZE;
            altered.put(at, (byte) (altered.get(at) ^ 1 << bit % Byte.SIZE));

            assertThatThrownBy(() -> ShardNode.decode(altered)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aNodeThatIsCutOffIsRefused() {
        ByteBuffer bytes = OWNED.encode();
        for (int length = 0; length < bytes.limit(); length++) {
            ByteBuffer shorter = bytes.slice(0, length);

            assertThatThrownBy(() -> ShardNode.decode(shorter)).isInstanceOf(IOException.class);
        }
    }
}
