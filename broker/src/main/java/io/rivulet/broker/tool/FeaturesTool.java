package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.ApiVersionsResponse;
import io.rivulet.protocol.message.ApiVersionsResponse.FinalizedFeatureKey;
import io.rivulet.protocol.message.ApiVersionsResponse.SupportedFeatureKey;
import io.rivulet.protocol.message.UpdateFeaturesRequest;
import io.rivulet.protocol.message.UpdateFeaturesRequest.FeatureUpdateKey;
import io.rivulet.protocol.message.UpdateFeaturesResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "features",
        description = {
            "Describe features, as kafka-features.sh does.",
            "The levels are those of the release, so they can't be changed.",
        })
public final class FeaturesTool extends DataTool {
    private static final Output.Table FEATURES = new Output.Table(
            "Feature: %-42sSupportedMinVersion: %-17sSupportedMaxVersion: %-17s"
                    + "FinalizedVersionLevel: %-17sEpoch: %d%n",
            "", "feature,supportedMinVersion,supportedMaxVersion,finalizedVersionLevel,epoch");
    private static final Output.Table UPDATED =
            new Output.Table("%s %s %sd to %d.%n", "", "feature,result,action,level");
    private static final String METADATA = "metadata.version";
    private static final int LOWEST_METADATA = 7;
    private static final byte UPGRADE = 1;
    private static final byte SAFE_DOWNGRADE = 2;
    private static final byte UNSAFE_DOWNGRADE = 3;

    /** Kafka's names of the levels of metadata.version, from the lowest one. */
    private static final String RELEASES = "3.3-IV3 3.4-IV0 3.5-IV0 3.5-IV1 3.5-IV2 3.6-IV0 3.6-IV1 3.6-IV2"
            + " 3.7-IV0 3.7-IV1 3.7-IV2 3.7-IV3 3.7-IV4 3.8-IV0 3.9-IV0 4.0-IV0 4.0-IV1 4.0-IV2 4.0-IV3"
            + " 4.1-IV0 4.1-IV1 4.2-IV0 4.2-IV1 4.3-IV0";

    @Parameters(paramLabel = "describe|upgrade|downgrade|disable", description = "what to do")
    private String action;

    @Option(
            names = "--feature",
            paramLabel = "name=level",
            description = "the feature and its new level; may be repeated; disable takes the name alone")
    private List<String> features = new ArrayList<>();

    @Option(names = "--unsafe", description = "with downgrade and disable: also if metadata is lost")
    private boolean unsafe;

    @Option(names = "--dry-run", description = "check the change only")
    private boolean dryRun;

    @Override
    void run(BrokerConnection broker, Output out) {
        switch (action) {
            case "describe" -> describe(broker, out);
            case "upgrade" -> update(broker, out, UPGRADE, levels());
            case "downgrade" -> update(broker, out, unsafe ? UNSAFE_DOWNGRADE : SAFE_DOWNGRADE, levels());
            case "disable" ->
                update(
                        broker,
                        out,
                        unsafe ? UNSAFE_DOWNGRADE : SAFE_DOWNGRADE,
                        features.stream().collect(Collectors.toMap(name -> name, name -> (short) 0)));
            default -> throw misused(action + " is not one of describe, upgrade, downgrade, disable");
        }
    }

    private static void describe(BrokerConnection broker, Output out) {
        ApiVersionsResponse response = broker.ask(
                ApiKey.API_VERSIONS,
                new ApiVersionsRequest().clientSoftwareName("rivulet").clientSoftwareVersion("0"),
                ApiVersionsResponse.class);
        Map<String, Short> levels = response.finalizedFeatures().stream()
                .collect(Collectors.toMap(FinalizedFeatureKey::name, FinalizedFeatureKey::maxVersionLevel));
        response.supportedFeatures().stream()
                .sorted(Comparator.comparing(SupportedFeatureKey::name))
                .forEach(feature -> out.row(
                        FEATURES,
                        feature.name(),
                        level(feature.name(), feature.minVersion()),
                        level(feature.name(), feature.maxVersion()),
                        level(feature.name(), levels.getOrDefault(feature.name(), (short) 0)),
                        response.finalizedFeaturesEpoch()));
    }

    private static String level(String feature, short level) {
        String[] releases = RELEASES.split(" ", -1);
        int index = level - LOWEST_METADATA;
        return feature.equals(METADATA) && index >= 0 && index < releases.length
                ? releases[index]
                : String.valueOf(level);
    }

    private Map<String, Short> levels() {
        Map<String, Short> levels = new LinkedHashMap<>();
        for (String feature : features) {
            int equals = feature.indexOf('=');
            try {
                levels.put(feature.substring(0, Math.max(0, equals)), Short.parseShort(feature.substring(equals + 1)));
            } catch (NumberFormatException e) {
                throw misused("--feature " + feature + " is not allowed: use name=level");
            }
        }
        return levels;
    }

    private void update(BrokerConnection broker, Output out, byte type, Map<String, Short> levels) {
        if (levels.isEmpty()) {
            throw misused("Missing required option: '--feature'");
        }
        levels.forEach((feature, level) -> {
            UpdateFeaturesResponse response = broker.ask(
                    ApiKey.UPDATE_FEATURES,
                    new UpdateFeaturesRequest()
                            .validateOnly(dryRun)
                            .featureUpdates(List.of(new FeatureUpdateKey()
                                    .feature(feature)
                                    .maxVersionLevel(level)
                                    .upgradeType(type))),
                    UpdateFeaturesResponse.class);
            ClientException.require(
                    response.errorCode(), response.errorMessage(), "Could not " + action + " " + feature);
            out.row(UPDATED, feature, dryRun ? "can be" : "was", action, level);
        });
    }
}
