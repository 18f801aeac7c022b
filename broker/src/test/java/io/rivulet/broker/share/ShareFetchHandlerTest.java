package io.rivulet.broker.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.message.ShareFetchRequest.AcknowledgementBatch;
import io.rivulet.protocol.message.ShareFetchRequest.FetchPartition;
import io.rivulet.protocol.message.ShareFetchRequest.FetchTopic;
import io.rivulet.protocol.message.ShareFetchRequest.ForgottenTopic;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What decides whether an event loop serves a share fetch. */
final class ShareFetchHandlerTest {
    private static final int MANY = 1_000_000;

    @Test
    void eachPartitionEachTopicAndEachAcknowledgementCounts() {
        FetchPartition acknowledged =
                new FetchPartition().acknowledgementBatches(Collections.nCopies(MANY, new AcknowledgementBatch()));

        assertThat(ShareFetchHandler.named(new ShareFetchRequest())).isZero();
        assertThat(ShareFetchHandler.named(fetching(Collections.nCopies(MANY, new FetchTopic()))))
                .isEqualTo(MANY);
        assertThat(ShareFetchHandler.named(fetching(
                        List.of(new FetchTopic().partitions(Collections.nCopies(MANY, new FetchPartition()))))))
                .isEqualTo(MANY);
        assertThat(ShareFetchHandler.named(fetching(List.of(new FetchTopic().partitions(List.of(acknowledged))))))
                .isEqualTo(MANY + 1);
        assertThat(ShareFetchHandler.named(forgetting(Collections.nCopies(MANY, new ForgottenTopic()))))
                .isEqualTo(MANY);
        assertThat(ShareFetchHandler.named(forgetting(List.of(new ForgottenTopic().partitions(new int[MANY])))))
                .isEqualTo(MANY);
    }

    private static ShareFetchRequest fetching(List<FetchTopic> topics) {
        return new ShareFetchRequest().topics(topics);
    }

    private static ShareFetchRequest forgetting(List<ForgottenTopic> topics) {
        return new ShareFetchRequest().forgottenTopicsData(topics);
    }
}
