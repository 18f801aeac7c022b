package io.rivulet.broker.api.config;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import java.util.List;

/** The configs of resources as DescribeConfigs has them, with sources and help texts. Pure functions. */
public final class ConfigDescriptions {
    private static final Wanted ALL = new Wanted(null, true, true);

    private ConfigDescriptions() {}

    /**
     * @param type as in {@link io.rivulet.broker.dynamic.Resource}
     * @throws RefusedException if there is no such resource
     */
    public static List<DescribeConfigsResourceResult> of(ApiParts parts, byte type, String name) {
        return ConfigKinds.of(parts).require(type).describe(name, ALL);
    }
}
