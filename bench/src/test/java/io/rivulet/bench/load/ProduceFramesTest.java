package io.rivulet.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.wire.WireReader;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProduceFramesTest {
    @Test
    void aLeaderGetsItsPartitionsOnlyAndEachOfThemEquallyOften() {
        int[] led = {1, 4, 7, 10, 13, 16, 19};

        Map<Integer, Integer> written = written(ProduceFrames.of("load", led, new LoadShape(21, 3, 2)));

        // seven partitions are three requests of two batches, and one partition is left out
        assertThat(written.keySet()).containsExactlyInAnyOrder(1, 4, 7, 10, 13, 16);
        assertThat(written.values()).containsOnly(6);
    }

    @Test
    void aTopicThatCanBeDividedIsWrittenWhole() {
        Map<Integer, Integer> written = written(ProduceFrames.of("load", new LoadShape(100, 100, 1)));

        assertThat(written).hasSize(100);
        assertThat(written.values()).containsOnly(16);
    }

    private static Map<Integer, Integer> written(Frames frames) {
        Map<Integer, Integer> batches = new HashMap<>();
        for (int i = 0; i < frames.count(); i++) {
            WireReader reader = new WireReader(
                    Unpooled.wrappedBuffer(frames.slice(i, i + 1)).skipBytes(Integer.BYTES));
            RequestHeader.read(reader, ApiKey.PRODUCE.requestHeaderVersion(ProduceFrames.VERSION));
            ProduceRequest.read(reader, ProduceFrames.VERSION)
                    .topicData()
                    .forEach(topic -> topic.partitionData()
                            .forEach(partition -> batches.merge(partition.index(), 1, Integer::sum)));
        }
        return batches;
    }
}
