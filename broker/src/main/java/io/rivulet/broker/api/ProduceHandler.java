package io.rivulet.broker.api;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.produce.Recompression;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.ProduceRequest;
import io.rivulet.protocol.message.ProduceRequest.PartitionProduceData;
import io.rivulet.protocol.message.ProduceRequest.TopicProduceData;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks what a producer sent, hands what is sound to the store, and answers when it is as durable as was asked for. */
public final class ProduceHandler {
    private static final short TOPIC_IDS_FROM_VERSION = 13;

    private final ProduceParts parts;
    private final TopicCatalogue topics;
    private final Recompressor recompressor;
    private final LongChecks checks;
    private final int maxDecompressedBytes;

    public ProduceHandler(
            ProduceParts parts,
            TopicCatalogue topics,
            Recompressor recompressor,
            LongChecks checks,
            int maxDecompressedBytes) {
        this.parts = parts;
        this.topics = topics;
        this.recompressor = recompressor;
        this.checks = checks;
        this.maxDecompressedBytes = maxDecompressedBytes;
    }

    void handle(Call call, ProduceRequest request) {
        @Nullable Topic[] found = find(request, call.version() >= TOPIC_IDS_FROM_VERSION);
        for (int i = 0; i < found.length; i++) {
            if (Recompression.isWanted(found[i], request.topicData().get(i))) {
                recompressor.rewrite(call, request, found, rewritten -> {
                    call.replaceFrame(rewritten.frame());
                    check(call, rewritten.request(), found, rewritten.refusals()::get);
                });
                return;
            }
        }
        check(call, request, found, data -> null);
    }

    private void check(
            Call call,
            ProduceRequest request,
            @Nullable Topic[] found,
            Function<PartitionProduceData, @Nullable RefusedException> refusals) {
        checks.check(new ProduceCheck(call, parts, request, found, refusals, maxDecompressedBytes));
    }

    private @Nullable Topic[] find(ProduceRequest request, boolean byId) {
        @Nullable Topic[] found = new Topic[request.topicData().size()];
        for (int i = 0; i < found.length; i++) {
            TopicProduceData sent = request.topicData().get(i);
            found[i] = byId ? topics.find(sent.topicId()) : topics.find(sent.name());
        }
        return found;
    }
}
