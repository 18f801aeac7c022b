package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.ANSWERS_COME;
import static io.rivulet.simulation.Promise.SHARES_STAY;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ShareAcknowledgeRequest;
import io.rivulet.protocol.message.ShareAcknowledgeRequest.AcknowledgePartition;
import io.rivulet.protocol.message.ShareAcknowledgeRequest.AcknowledgeTopic;
import io.rivulet.protocol.message.ShareAcknowledgeRequest.AcknowledgementBatch;
import io.rivulet.protocol.message.ShareAcknowledgeResponse;
import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.message.ShareFetchResponse;
import io.rivulet.protocol.message.ShareFetchResponse.AcquiredRecords;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.List;

/** A member of a share group: takes records, and accepts, rejects, releases or forgets them. */
final class ShareConsumer extends Client {
    private static final int VERSION = 1;
    private static final byte ACCEPT = 1;
    private static final byte RELEASE = 2;
    private static final byte REJECT = 3;
    private static final short INVALID_RECORD_STATE = 121;

    private record Taken(PartitionLog log, AcquiredRecords records) {}

    private final ShareLog shared;
    private final List<Taken> taken = new ArrayList<>();
    private String member = "";
    private int lives;
    private int epoch;

    ShareConsumer(World world, String name, ShareLog shared) {
        super(world, name);
        this.shared = shared;
    }

    @Override
    void connected() {
        taken.clear();
        epoch = 0;
        member = new Uuid(name.hashCode(), ++lives).toString();
    }

    @Override
    void act(ClientConnection to) {
        if (to.inFlight() > 0) {
            return;
        }
        if (!taken.isEmpty() && random.nextInt(4) > 0) {
            acknowledge(to, taken.remove(random.nextInt(taken.size())));
        } else {
            fetch(to);
        }
    }

    private void fetch(ClientConnection to) {
        ShareFetchRequest request = ShareLog.fetch(shared.group, member, epoch, epoch == 0 ? world : null)
                .maxWaitMs(200)
                .maxRecords(1 + random.nextInt(20));
        to.ask(ApiKey.SHARE_FETCH, VERSION, request, ShareFetchResponse.class, answer -> {
            if (answer == null) {
                return;
            }
            ANSWERS_COME.require(answer.errorCode() == 0, "%s: error %s of a fetch", name, answer.errorCode());
            epoch++;
            answer.responses()
                    .forEach(topic -> topic.partitions().forEach(data -> {
                        PartitionLog log = world.log(topic.topicId(), data.partitionIndex());
                        SHARES_STAY.require(data.errorCode() == 0, "%s: error %s", log, data.errorCode());
                        data.acquiredRecords().forEach(records -> {
                            shared.delivered(log, records);
                            taken.add(new Taken(log, records));
                        });
                    }));
        });
    }

    private void acknowledge(ClientConnection to, Taken records) {
        int dice = random.nextInt(10);
        byte type = dice < 6 ? ACCEPT : dice < 8 ? RELEASE : REJECT;
        long first = records.records.firstOffset();
        long last = records.records.lastOffset();
        ShareAcknowledgeRequest request = new ShareAcknowledgeRequest()
                .groupId(shared.group)
                .memberId(member)
                .shareSessionEpoch(epoch)
                .topics(List.of(new AcknowledgeTopic()
                        .topicId(world.topicId(records.log.topic))
                        .partitions(List.of(new AcknowledgePartition()
                                .partitionIndex(records.log.partition)
                                .acknowledgementBatches(List.of(new AcknowledgementBatch()
                                        .firstOffset(first)
                                        .lastOffset(last)
                                        .acknowledgeTypes(new byte[] {type})))))));
        to.ask(ApiKey.SHARE_ACKNOWLEDGE, VERSION, request, ShareAcknowledgeResponse.class, answer -> {
            if (answer == null) {
                return;
            }
            ANSWERS_COME.require(answer.errorCode() == 0, "%s: error %s", name, answer.errorCode());
            epoch++;
            short error = answer.responses().get(0).partitions().get(0).errorCode();
            SHARES_STAY.require(
                    error == 0 || error == INVALID_RECORD_STATE, "%s: error %s of an acknowledgement", name, error);
            if (error == 0 && type != RELEASE) {
                shared.acknowledged(records.log, first, last);
            }
        });
        if (type != RELEASE) {
            shared.acknowledging(records.log, first, last);
        }
    }
}
