package io.rivulet.store.log;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LogConfigTest {
    @Test
    void aBadValueIsNamedWithWhatIsAllowed() {
        assertThatThrownBy(() -> LogConfig.DEFAULT.withSegmentBytes(1 << 20))
                .hasMessageContaining("segmentBytes is 1048576")
                .hasMessageContaining("groupBytes (4194304)");
        assertThatThrownBy(() -> LogConfig.DEFAULT.withGroups(1, 8 << 20))
                .hasMessageContaining("groupBytes is 8388608");
        assertThatThrownBy(() -> LogConfig.DEFAULT.withGroups(0, 4096)).hasMessageContaining("groupCount is 0");
        assertThatThrownBy(() -> LogConfig.DEFAULT.withSpareSegments(-1)).hasMessageContaining("spareSegments is -1");
    }
}
