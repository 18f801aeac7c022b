package io.rivulet.store.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class VarintTest {
    @Property
    void sizeTellsWhatPutWrites(@ForAll long value) {
        assertThat(Varint.put(ByteBuffer.allocate(Varint.MAX_LONG_BYTES), 0, value))
                .isEqualTo(Varint.size(value));
    }

    @Property
    void zigzagIsUndone(@ForAll long value) {
        assertThat(Varint.unzigzag(Varint.zigzag(value))).isEqualTo(value);
    }

    @Test
    void boundariesOfSize() {
        assertThat(Varint.size(0)).isEqualTo(1);
        assertThat(Varint.size(127)).isEqualTo(1);
        assertThat(Varint.size(128)).isEqualTo(2);
        assertThat(Varint.size(Integer.MAX_VALUE)).isEqualTo(Varint.MAX_INT_BYTES);
        assertThat(Varint.size(-1)).isEqualTo(Varint.MAX_LONG_BYTES);
        assertThat(Varint.zigzag(-1)).isEqualTo(1);
        assertThat(Varint.zigzag(1)).isEqualTo(2);
    }
}
