package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Request;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.ApiVersionsResponse;
import io.rivulet.store.StoreMetric;

/**
 * Lists the APIs and versions that this broker serves. A request of an unknown version gets an answer of version 0 with
 * {@code UNSUPPORTED_VERSION} and the list, so that the client can ask again (KIP-511).
 */
record ApiVersionsHandler(ApiParts parts, RouteTable table) implements Handler<ApiVersionsRequest> {
    private static final short FEATURES_FROM_VERSION = 3;
    /** Older clients can't read a level of 0. */
    private static final short LEVEL_0_FROM_VERSION = 4;

    @Override
    public void handle(Call call, ApiVersionsRequest request) {
        ApiVersionsResponse response =
                new ApiVersionsResponse().errorCode(verdict(request).code()).apiKeys(table.advertised());
        call.answer(call.version() < FEATURES_FROM_VERSION ? response : withFeatures(response, call.version()));
    }

    /** A client takes the features of the highest epoch, so a start with other features raises it. */
    private ApiVersionsResponse withFeatures(ApiVersionsResponse response, short version) {
        return response.supportedFeatures(Feature.supported(version < LEVEL_0_FROM_VERSION ? 1 : 0))
                .finalizedFeaturesEpoch(parts.store().metric(StoreMetric.LOG_EPOCH))
                .finalizedFeatures(Feature.on());
    }

    @SuppressWarnings("ReferenceEquality") // a request of a known version can be equal
    private ErrorCode verdict(ApiVersionsRequest request) {
        if (request == Request.OF_UNKNOWN_VERSION) {
            return ErrorCode.UNSUPPORTED_VERSION;
        }
        if (request.clientSoftwareName().isEmpty()) {
            return ErrorCode.NONE; // versions below 3
        }
        // A client that expects another cluster or node asks its bootstrap servers again (KIP-1242).
        boolean isAnother = request.clusterId() != null
                && (!parts.clusterId().equals(request.clusterId()) || request.nodeId() != parts.nodeId());
        return isAnother ? ErrorCode.REBOOTSTRAP_REQUIRED : ErrorCode.NONE;
    }
}
