package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.ANSWERS_COME;
import static io.rivulet.simulation.Promise.WHAT_WAS_READ_STAYS;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.FetchResponse.FetchableTopicResponse;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads all partitions in a fetch session, again and again from the start. */
final class Reader extends Client {
    private static final int MOST_BYTES = 8 << 10;
    private static final int MAX_WAIT_MILLIS = 300;

    private final boolean committed;
    private final Map<PartitionLog, LogReader> readers = new HashMap<>();
    private int session;
    private int epoch;

    Reader(World world, String name, boolean committed) {
        super(world, name);
        this.committed = committed;
    }

    @Override
    void connected() {
        session = 0;
        epoch = 0;
        readers.clear();
    }

    @Override
    void act(ClientConnection to) {
        if (to.inFlight() > 0) {
            return;
        }
        List<FetchTopic> topics = new ArrayList<>();
        for (PartitionLog log : world.logs) {
            LogReader reader = readers.get(log);
            if (reader == null || random.nextInt(50) == 0) {
                reader = new LogReader(committed, 0);
                readers.put(log, reader);
                topics.add(World.topic(log, 0));
            } else if (epoch == 0 || reader.hasMoved()) {
                topics.add(World.topic(log, reader.position()));
            }
        }
        FetchRequest request = World.fetch(topics)
                .maxWaitMs(MAX_WAIT_MILLIS)
                .maxBytes(1 + random.nextInt(MOST_BYTES))
                .isolationLevel((byte) (committed ? 1 : 0))
                .sessionId(session)
                .sessionEpoch(epoch);
        to.ask(ApiKey.FETCH, World.FETCH_VERSION, request, FetchResponse.class, answer -> {
            if (answer != null) {
                answered(answer);
            }
        });
    }

    private void answered(FetchResponse answer) {
        ANSWERS_COME.require(answer.errorCode() == 0, "%s: error %s of a fetch", name, answer.errorCode());
        session = answer.sessionId();
        epoch = session == 0 ? 0 : epoch + 1;
        for (FetchableTopicResponse topic : answer.responses()) {
            for (PartitionData data : topic.partitions()) {
                PartitionLog log = world.log(topic.topic(), data.partitionIndex());
                WHAT_WAS_READ_STAYS.require(data.errorCode() == 0, "%s: error %s", log, data.errorCode());
                LogReader reader = readers.get(log);
                if (reader != null) {
                    reader.add(data);
                    WHAT_WAS_READ_STAYS.require(
                            log.compacted || reader.isContiguous(), "%s has a gap before %s", log, reader.position());
                    reader.takeRecords().forEach(record -> {
                        log.wasRead(record);
                        if (committed) {
                            log.wasReadCommitted(record);
                        }
                    });
                }
            }
        }
    }
}
