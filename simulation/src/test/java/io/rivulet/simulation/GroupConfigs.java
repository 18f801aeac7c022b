package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.SETTINGS_STAY;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeConfigsRequest;
import io.rivulet.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import io.rivulet.protocol.message.DescribeConfigsResponse;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterableConfig;
import io.rivulet.protocol.message.IncrementalAlterConfigsResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Configs of groups. */
final class GroupConfigs extends Settings {
    private static final byte GROUP = 32;
    private static final String KEY = "consumer.session.timeout.ms";
    private static final int DEFAULT_MILLIS = 45_000;
    private static final int MORE_MILLIS = 10_000;
    private static final byte SET = 0;
    private static final byte DELETE = 1;
    private static final int GROUPS = 4;

    GroupConfigs(World world, String name) {
        super(world, name);
    }

    @Override
    void change(ClientConnection to, String group, @Nullable Long value, Consumer<@Nullable Short> answered) {
        IncrementalAlterConfigsRequest request = new IncrementalAlterConfigsRequest()
                .resources(List.of(new AlterConfigsResource()
                        .resourceType(GROUP)
                        .resourceName(group)
                        .configs(List.of(new AlterableConfig()
                                .name(KEY)
                                .configOperation(value == null ? DELETE : SET)
                                .value(value == null ? null : value.toString())))));
        to.ask(
                ApiKey.INCREMENTAL_ALTER_CONFIGS,
                1,
                request,
                IncrementalAlterConfigsResponse.class,
                answer -> answered.accept(
                        answer == null ? null : answer.responses().get(0).errorCode()));
    }

    @Override
    Long next(@Nullable Long before) {
        return (long) DEFAULT_MILLIS + 1 + random.nextInt(MORE_MILLIS);
    }

    @Override
    Map<String, Long> read(Asking asking) {
        DescribeConfigsRequest request = new DescribeConfigsRequest()
                .resources(IntStream.range(0, GROUPS)
                        .mapToObj(number -> new DescribeConfigsResource()
                                .resourceType(GROUP)
                                .resourceName(PREFIX + number)
                                .configurationKeys(List.of(KEY)))
                        .toList());
        DescribeConfigsResponse answer = asking.ask(ApiKey.DESCRIBE_CONFIGS, 4, request, DescribeConfigsResponse.class);
        Map<String, Long> found = new TreeMap<>();
        answer.results().forEach(group -> {
            SETTINGS_STAY.require(group.errorCode() == 0, "%s: error %s", name, group.errorCode());
            long value = Long.parseLong(String.valueOf(group.configs().get(0).value()));
            if (value != DEFAULT_MILLIS) {
                found.put(group.resourceName(), value);
            }
        });
        return found;
    }
}
