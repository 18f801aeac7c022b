package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DeleteRecordsRequest;
import io.rivulet.protocol.message.DeleteRecordsRequest.DeleteRecordsPartition;
import io.rivulet.protocol.message.DeleteRecordsRequest.DeleteRecordsTopic;
import io.rivulet.protocol.message.DeleteRecordsResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "delete-records",
        description = "Delete the records of partitions before an offset, as kafka-delete-records.sh does.")
public final class DeleteRecordsTool extends DataTool {
    private static final int TIMEOUT_MILLIS = 60_000;

    @Option(
            names = "--offset-json-file",
            required = true,
            paramLabel = "file",
            description = "{\"partitions\": [{\"topic\": \"a\", \"partition\": 0, \"offset\": 5}]}; -1 is the end")
    private Path file;

    @Override
    void run(BrokerConnection broker, Output out) throws IOException {
        List<DeleteRecordsTopic> topics = new ArrayList<>();
        PartitionsFile.byTopic(file)
                .forEach((topic, entries) -> topics.add(new DeleteRecordsTopic()
                        .name(topic)
                        .partitions(entries.stream()
                                .map(entry -> new DeleteRecordsPartition()
                                        .partitionIndex(entry.partition())
                                        .offset(entry.number("offset")))
                                .toList())));
        out.println("Executing records delete operation");
        DeleteRecordsResponse response = broker.ask(
                ApiKey.DELETE_RECORDS,
                new DeleteRecordsRequest().timeoutMs(TIMEOUT_MILLIS).topics(topics),
                DeleteRecordsResponse.class);
        out.println("Records delete operation completed:");
        boolean[] failed = {false};
        response.topics()
                .forEach(topic -> topic.partitions().forEach(partition -> {
                    boolean isDone = partition.errorCode() == ErrorCode.NONE.code();
                    failed[0] |= !isDone;
                    if (out.isJson()) {
                        out.object(JsonText.object(
                                "topic",
                                topic.name(),
                                "partition",
                                partition.partitionIndex(),
                                "lowWatermark",
                                isDone ? partition.lowWatermark() : null,
                                "error",
                                isDone ? null : ClientException.name(partition.errorCode())));
                    }
                    out.printf(
                            "partition: %s-%d\t%s%n",
                            topic.name(),
                            partition.partitionIndex(),
                            isDone
                                    ? "low_watermark: " + partition.lowWatermark()
                                    : "error: " + ClientException.name(partition.errorCode()));
                }));
        if (failed[0]) {
            out.end();
            throw new ClientException("the records of some partitions are not deleted");
        }
    }
}
