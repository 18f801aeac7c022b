package io.rivulet.broker.api;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsResponse;
import java.util.List;

/** Which APIs this broker serves, in which versions. What is not in here is not advertised and not answered. Immutable. */
public final class ServedApis {
    private ServedApis() {}

    public static boolean serves(ApiKey key, short version) {
        return switch (key) {
            case API_VERSIONS -> key.hasVersion(version);
            default -> false;
        };
    }

    static List<ApiVersionsResponse.ApiVersion> advertised() {
        return List.of(new ApiVersionsResponse.ApiVersion()
                .apiKey(ApiKey.API_VERSIONS.id())
                .minVersion(ApiKey.API_VERSIONS.lowestVersion())
                .maxVersion(ApiKey.API_VERSIONS.highestVersion()));
    }
}
