package io.rivulet.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchRequest.ForgottenTopic;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What decides whether an event loop serves a fetch. */
final class FetchHandlerTest {
    private static final int MANY = 1_000_000;

    @Test
    void eachPartitionAndEachTopicCounts() {
        assertThat(FetchHandler.named(new FetchRequest())).isZero();
        assertThat(FetchHandler.named(new FetchRequest()
                        .topics(List.of(new FetchTopic().partitions(Collections.nCopies(MANY, new FetchPartition()))))))
                .isEqualTo(MANY);
        assertThat(FetchHandler.named(new FetchRequest().topics(Collections.nCopies(MANY, new FetchTopic()))))
                .isEqualTo(MANY);
        assertThat(FetchHandler.named(
                        new FetchRequest().forgottenTopicsData(Collections.nCopies(MANY, new ForgottenTopic()))))
                .isEqualTo(MANY);
        assertThat(FetchHandler.named(new FetchRequest()
                        .forgottenTopicsData(List.of(new ForgottenTopic().partitions(new int[MANY])))))
                .isEqualTo(MANY);
    }
}
