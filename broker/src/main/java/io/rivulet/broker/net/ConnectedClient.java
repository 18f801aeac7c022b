package io.rivulet.broker.net;

import io.rivulet.broker.call.Request;
import io.rivulet.protocol.message.ApiVersionsRequest;
import org.jspecify.annotations.Nullable;

/**
 * The client of an open connection, as it names itself. Immutable.
 *
 * @param user who it is; empty if it has not said so
 * @param id its own name; empty before its first request
 * @param software the name of its library; empty if it does not say
 * @param version of its library; empty as above
 */
public record ConnectedClient(
        String listener, String address, String user, String id, String software, String version, long idleMillis) {

    /** What a connection remembers of its client: a name and a version, each cut to a bounded length. Immutable. */
    record Name(String id, String software, String version) {
        private static final int MOST_CHARACTERS = 200;
        static final Name UNKNOWN = new Name("", "", "");

        static Name of(Request request) {
            ApiVersionsRequest versions = request.body() instanceof ApiVersionsRequest body ? body : null;
            return new Name(
                    cut(request.clientId()),
                    versions == null ? "" : cut(versions.clientSoftwareName()),
                    versions == null ? "" : cut(versions.clientSoftwareVersion()));
        }

        /** Whether the request may say more than what is known. */
        static boolean isNews(@Nullable Name known, Request request) {
            return known == null || request.body() instanceof ApiVersionsRequest;
        }

        private static String cut(String text) {
            return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS);
        }
    }
}
