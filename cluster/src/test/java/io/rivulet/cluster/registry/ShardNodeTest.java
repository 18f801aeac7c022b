package io.rivulet.cluster.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
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
