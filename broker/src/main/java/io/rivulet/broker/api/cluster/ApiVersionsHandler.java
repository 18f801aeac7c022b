package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.FailedLogin;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Request;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.sasl.Login;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.ApiVersionsResponse;
import io.rivulet.protocol.message.ApiVersionsResponse.ApiVersion;
import io.rivulet.store.StoreMetric;
import java.util.List;

/**
 * Lists the APIs and versions that this broker serves. A request of an unknown version gets an answer of version 0 with
 * {@code UNSUPPORTED_VERSION} and the versions of ApiVersions, so that the client can ask again (KIP-511).
 */
record ApiVersionsHandler(ApiParts parts, RouteTable table) implements Handler<ApiVersionsRequest> {
    private static final short NAMES_FROM_VERSION = 3;
    private static final short FEATURES_FROM_VERSION = 3;
    /** Older clients can't read a level of 0. */
    private static final short LEVEL_0_FROM_VERSION = 4;

    @Override
    public void handle(Call call, ApiVersionsRequest request) {
        Login login = call.origin().login();
        if (login != null && login.awaitsToken()) {
            ApiVersionsResponse refused = new ApiVersionsResponse().errorCode(ErrorCode.ILLEGAL_SASL_STATE.code());
            FailedLogin.answer(call, login, refused, "ApiVersions where a token is due");
            return;
        }
        ErrorCode verdict = verdict(request, call.version());
        ApiVersionsResponse response = new ApiVersionsResponse().errorCode(verdict.code());
        if (verdict == ErrorCode.NONE) {
            response.apiKeys(table.advertised());
            call.answer(call.version() < FEATURES_FROM_VERSION ? response : withFeatures(response, call.version()));
        } else {
            call.answer(verdict == ErrorCode.UNSUPPORTED_VERSION ? response.apiKeys(ownVersions()) : response);
        }
    }

    private List<ApiVersion> ownVersions() {
        return table.advertised().stream()
                .filter(version -> version.apiKey() == ApiKey.API_VERSIONS.id())
                .toList();
    }

    /** A client takes the features of the highest epoch, so a start with other features raises it. */
    private ApiVersionsResponse withFeatures(ApiVersionsResponse response, short version) {
        return response.supportedFeatures(Feature.supported(version < LEVEL_0_FROM_VERSION ? 1 : 0))
                .finalizedFeaturesEpoch(parts.store().metric(StoreMetric.LOG_EPOCH))
                .finalizedFeatures(Feature.on());
    }

    @SuppressWarnings("ReferenceEquality") // a request of a known version can be equal
    private ErrorCode verdict(ApiVersionsRequest request, short version) {
        if (request == Request.OF_UNKNOWN_VERSION) {
            return ErrorCode.UNSUPPORTED_VERSION;
        }
        if (version < NAMES_FROM_VERSION) {
            return ErrorCode.NONE;
        }
        if (!isName(request.clientSoftwareName()) || !isName(request.clientSoftwareVersion())) {
            return ErrorCode.INVALID_REQUEST;
        }
        // A client that expects another cluster or node asks its bootstrap servers again (KIP-1242).
        boolean isAnother = request.clusterId() != null
                && (!parts.clusterId().equals(request.clusterId())
                        || !parts.nodes().answersFor(request.nodeId()));
        return isAnother ? ErrorCode.REBOOTSTRAP_REQUIRED : ErrorCode.NONE;
    }

    /** ASCII letters and digits, between them also '-' and '.'. */
    private static boolean isName(String text) {
        int last = text.length() - 1;
        for (int i = 0; i <= last; i++) {
            char c = text.charAt(i);
            boolean isInner = (c == '-' || c == '.') && i > 0 && i < last;
            if (!isInner && !(c < 128 && Character.isLetterOrDigit(c))) {
                return false;
            }
        }
        return last >= 0;
    }
}
