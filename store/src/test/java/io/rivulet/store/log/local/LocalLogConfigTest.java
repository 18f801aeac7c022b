package io.rivulet.store.log.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LocalLogConfigTest {
    @Test
    void aBadValueIsNamedWithWhatIsAllowed() {
        assertThatThrownBy(() -> LocalLogConfig.DEFAULT.withSegmentBytes(1 << 20))
                .hasMessageContaining("segmentBytes is 1048576")
                .hasMessageContaining("groupBytes (4194304)");
        assertThatThrownBy(() -> LocalLogConfig.DEFAULT.withGroups(1, 8 << 20))
                .hasMessageContaining("groupBytes is 8388608");
        assertThatThrownBy(() -> LocalLogConfig.DEFAULT.withGroups(0, 4096)).hasMessageContaining("groupCount is 0");
        assertThatThrownBy(() -> LocalLogConfig.DEFAULT.withSpareSegments(-1))
                .hasMessageContaining("spareSegments is -1");
    }
}
