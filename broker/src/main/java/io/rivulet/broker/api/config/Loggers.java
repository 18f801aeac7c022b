package io.rivulet.broker.api.config;

import io.rivulet.broker.dynamic.ConfigSource;
import io.rivulet.broker.dynamic.LogLevels;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterableConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * The levels of this broker's loggers, which are not kept over a restart. An application that embeds a broker brings
 * its own logging, and has none here. Thread-safe.
 */
record Loggers(int nodeId, LogLevels levels) {
    private void requireThisBroker(String resource) {
        if (!resource.equals(String.valueOf(nodeId))) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST,
                    "no loggers of broker '" + resource + "' are here; this is broker " + nodeId);
        }
    }

    List<DescribeConfigsResourceResult> describe(String resource, Wanted wanted) {
        requireThisBroker(resource);
        List<DescribeConfigsResourceResult> configs = new ArrayList<>();
        levels.all().forEach((logger, level) -> {
            if (wanted.has(logger)) {
                configs.add(new DescribeConfigsResourceResult()
                        .name(logger)
                        .value(level)
                        .configSource(ConfigSource.BROKER_LOGGER.code())
                        .synonyms(List.of())
                        .documentation(null));
            }
        });
        return configs;
    }

    /** Changes all levels, or none of them if one is refused. */
    void alter(String resource, List<AlterableConfig> changes, boolean validateOnly) {
        requireThisBroker(resource);
        changes.forEach(this::check);
        if (!validateOnly) {
            changes.forEach(change -> levels.set(change.name(), isDeletion(change) ? null : change.value()));
        }
    }

    private static boolean isDeletion(AlterableConfig change) {
        return change.configOperation() == IncrementalAlterConfigsHandler.DELETE;
    }

    private void check(AlterableConfig change) {
        boolean sets = change.configOperation() == IncrementalAlterConfigsHandler.SET;
        if (!sets && !isDeletion(change)) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST, "the level of a logger is no list, so it can only be set or deleted");
        }
        if (!levels.exists(change.name())) {
            throw new RefusedException(ErrorCode.INVALID_CONFIG, "there is no logger " + change.name());
        }
        if (sets && !LogLevels.NAMES.contains(String.valueOf(change.value()))) {
            throw new RefusedException(
                    ErrorCode.INVALID_CONFIG,
                    change.value() + " is no level; allowed is " + String.join(", ", LogLevels.NAMES));
        }
        if (isDeletion(change) && change.name().equals(LogLevels.ROOT)) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "the level of the root logger can't be deleted");
        }
    }
}
