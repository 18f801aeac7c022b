package io.rivulet.broker.api;

import io.rivulet.protocol.message.ApiVersionsResponse;

/**
 * Tells a client what this broker speaks. The one API whose request may be of a version that the broker doesn't know: the
 * answer is then of version 0, carries {@code UNSUPPORTED_VERSION} and the versions that there are, so that the client can
 * ask again (KIP-511).
 */
public final class ApiVersionsHandler {
    private static final short NONE = 0;
    private static final short UNSUPPORTED_VERSION = 35;

    private ApiVersionsHandler() {}

    static ApiVersionsResponse handle() {
        return response(NONE);
    }

    /** The answer, to be written in version 0, to a request of a version above all that are known. */
    public static ApiVersionsResponse ofUnknownVersion() {
        return response(UNSUPPORTED_VERSION);
    }

    private static ApiVersionsResponse response(short errorCode) {
        return new ApiVersionsResponse().errorCode(errorCode).apiKeys(ServedApis.advertised());
    }
}
