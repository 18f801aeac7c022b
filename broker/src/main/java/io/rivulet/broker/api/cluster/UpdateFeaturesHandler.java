package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.UpdateFeaturesRequest;
import io.rivulet.protocol.message.UpdateFeaturesRequest.FeatureUpdateKey;
import io.rivulet.protocol.message.UpdateFeaturesResponse;
import io.rivulet.protocol.message.UpdateFeaturesResponse.UpdatableFeatureResult;
import io.rivulet.protocol.wire.Message;
import org.jspecify.annotations.Nullable;

/** Accepts the levels that features have. Refuses all others, because levels are those of the release. */
record UpdateFeaturesHandler(ApiParts parts) implements Handler<UpdateFeaturesRequest>, Refusal<UpdateFeaturesRequest> {
    private static final byte UPGRADE = 1;
    private static final byte SAFE_DOWNGRADE = 2;
    private static final byte UNSAFE_DOWNGRADE = 3;
    private static final short RESULTS_UP_TO_VERSION = 1;

    @Override
    public void handle(Call call, UpdateFeaturesRequest request) {
        for (FeatureUpdateKey update : request.featureUpdates()) {
            String problem = problem(update, call.version());
            if (problem != null) {
                call.answer(new UpdateFeaturesResponse()
                        .errorCode(ErrorCode.INVALID_UPDATE_VERSION.code())
                        .errorMessage("no feature is updated, because of level " + update.maxVersionLevel() + " for "
                                + update.feature() + ": " + problem));
                return;
            }
        }
        UpdateFeaturesResponse response = new UpdateFeaturesResponse().errorMessage(null);
        if (call.version() <= RESULTS_UP_TO_VERSION) {
            response.results(request.featureUpdates().stream()
                    .map(update -> new UpdatableFeatureResult()
                            .feature(update.feature())
                            .errorMessage(null))
                    .toList());
        }
        parts.longAnswers().answer(call, response, request.featureUpdates().size());
    }

    @Override
    public Message refuse(UpdateFeaturesRequest request, short version, ErrorCode error) {
        return new UpdateFeaturesResponse().errorCode(error.code()).errorMessage(null);
    }

    private static @Nullable String problem(FeatureUpdateKey update, short version) {
        Feature feature = Feature.named(update.feature());
        int level = update.maxVersionLevel();
        byte type = version > 0 ? update.upgradeType() : update.allowDowngrade() ? SAFE_DOWNGRADE : UPGRADE;
        if (type < UPGRADE || type > UNSAFE_DOWNGRADE) {
            return "the type of the upgrade is not known";
        }
        if (level < 0) {
            return "a level is at least 0";
        }
        if (feature == null || feature.level() == 0) {
            return level == 0 ? null : "the broker does not support this feature";
        }
        if (level < feature.lowest() || level > feature.level()) {
            return "the broker supports levels " + feature.lowest() + " to " + feature.level();
        }
        if (level < feature.level()) {
            return type == UPGRADE
                    ? "this is a downgrade, which needs another type of upgrade"
                    : "the broker can't be downgraded from level " + feature.level();
        }
        return null;
    }
}
