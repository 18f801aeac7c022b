package io.rivulet.protocol.wire;

import java.util.function.IntFunction;

/** The properties of an API. The generated table {@code ApiKey} is the only implementation. */
public interface Api {
    /** The API whose responses always have the oldest header, because the client knows no versions yet. */
    int API_VERSIONS_ID = 18;

    /**
     * The properties in the schemas of request and response.
     *
     * @param id the number on the wire
     * @param apiName the name in the schemas, without {@code Request}
     * @param firstFlexibleVersion {@code Short.MAX_VALUE} if there is none
     */
    record Facts(
            int id,
            String apiName,
            int lowestVersion,
            int highestVersion,
            int firstFlexibleVersion,
            boolean latestVersionUnstable) {}

    Facts facts();

    /** A table by id; null if there is no such API. */
    static <A extends Api> A[] byId(A[] apis, IntFunction<A[]> newArray) {
        int highest = 0;
        for (A api : apis) {
            highest = Math.max(highest, api.id());
        }
        A[] table = newArray.apply(highest + 1);
        for (A api : apis) {
            table[api.id()] = api;
        }
        return table;
    }

    /** The number on the wire. */
    default short id() {
        return (short) facts().id;
    }

    /** The name in the schemas, without {@code Request}. */
    default String apiName() {
        return facts().apiName;
    }

    /** The lowest version in the schema. */
    default short lowestVersion() {
        return (short) facts().lowestVersion;
    }

    /** The highest version in the schema. */
    default short highestVersion() {
        return (short) facts().highestVersion;
    }

    /** The first version with compact types and tagged fields, or {@code Short.MAX_VALUE}. */
    default short firstFlexibleVersion() {
        return (short) facts().firstFlexibleVersion;
    }

    /** Whether the highest version may still change, and is not for production. */
    default boolean latestVersionUnstable() {
        return facts().latestVersionUnstable;
    }

    default short requestHeaderVersion(short version) {
        return (short) (version >= firstFlexibleVersion() ? 2 : 1);
    }

    default short responseHeaderVersion(short version) {
        return (short) (id() != API_VERSIONS_ID && version >= firstFlexibleVersion() ? 1 : 0);
    }

    Message readRequest(WireReader in, short version);

    Message readResponse(WireReader in, short version);
}
