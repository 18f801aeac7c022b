package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.json.JsonText;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsResponse.ApiVersion;
import io.rivulet.protocol.message.DescribeClusterRequest;
import io.rivulet.protocol.message.DescribeClusterResponse;
import io.rivulet.protocol.message.DescribeClusterResponse.DescribeClusterBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
        name = "broker-api-versions",
        description = "Print which APIs the broker serves, as kafka-broker-api-versions.sh does.")
public final class ApiVersionsTool extends DataTool {
    private static Map<String, @Nullable Object> json(ApiVersion api) {
        ApiKey known = ApiKey.forId(api.apiKey());
        return JsonText.object(
                "name",
                known == null ? null : known.apiName(),
                "key",
                api.apiKey(),
                "minVersion",
                api.minVersion(),
                "maxVersion",
                api.maxVersion(),
                "usable",
                known == null ? null : Math.min(known.highestVersion(), api.maxVersion()));
    }

    @Override
    void run(BrokerConnection broker, Output out) {
        DescribeClusterBroker node = broker.ask(
                        ApiKey.DESCRIBE_CLUSTER,
                        new DescribeClusterRequest().endpointType((byte) 1),
                        DescribeClusterResponse.class)
                .brokers()
                .get(0);
        if (out.isJson()) {
            out.single(JsonText.object(
                    "host",
                    node.host(),
                    "port",
                    node.port(),
                    "id",
                    node.brokerId(),
                    "apis",
                    broker.served().stream().map(ApiVersionsTool::json).toList()));
            return;
        }
        List<String> lines = new ArrayList<>();
        for (ApiVersion api : broker.served()) {
            ApiKey known = ApiKey.forId(api.apiKey());
            lines.add(String.format(
                    "\t%s(%d): %d to %d [usable: %s]",
                    known == null ? "UNKNOWN" : known.apiName(),
                    api.apiKey(),
                    api.minVersion(),
                    api.maxVersion(),
                    known == null ? "none" : String.valueOf(Math.min(known.highestVersion(), api.maxVersion()))));
        }
        out.printf(
                "%s:%d (id: %d rack: null isFenced: false) -> (%n%s%n)%n",
                node.host(), node.port(), node.brokerId(), String.join("," + System.lineSeparator(), lines));
    }
}
