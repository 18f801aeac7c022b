package io.rivulet.protocol.wire;

import java.util.function.IntFunction;
import java.util.function.Supplier;

/** What can be asked of an API of the protocol. The one implementation is the generated table {@code ApiKey}. */
public interface Api {
    /** The API whose responses have the oldest header always: a client that asks for versions knows none yet. */
    int API_VERSIONS_ID = 18;

    /**
     * What the schemas of request and response say.
     *
     * @param id the number on the wire
     * @param apiName as the schemas name it, without {@code Request}
     * @param firstFlexibleVersion {@code Short.MAX_VALUE} if there is none
     */
    record Facts(
            int id,
            String apiName,
            int lowestVersion,
            int highestVersion,
            int firstFlexibleVersion,
            boolean latestVersionUnstable,
            Supplier<Message> requestFactory,
            Decoder requestDecoder,
            Supplier<Message> responseFactory,
            Decoder responseDecoder) {}

    /** The static {@code read} of a message. */
    @FunctionalInterface
    interface Decoder {
        Message read(WireReader in, short version);
    }

    Facts facts();

    /** A table by id, with null where there is no API. */
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

    /** As the schemas name it, without {@code Request}. */
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

    /** From here on compact types and tagged fields; {@code Short.MAX_VALUE} if never. */
    default short firstFlexibleVersion() {
        return (short) facts().firstFlexibleVersion;
    }

    /** Whether the highest version may still change, and is not for production. */
    default boolean latestVersionUnstable() {
        return facts().latestVersionUnstable;
    }

    default boolean hasVersion(short version) {
        return lowestVersion() <= version && version <= highestVersion();
    }

    default short requestHeaderVersion(short version) {
        return (short) (version >= firstFlexibleVersion() ? 2 : 1);
    }

    default short responseHeaderVersion(short version) {
        return (short) (id() != API_VERSIONS_ID && version >= firstFlexibleVersion() ? 1 : 0);
    }

    default Message newRequest() {
        return facts().requestFactory.get();
    }

    default Message newResponse() {
        return facts().responseFactory.get();
    }

    default Message readRequest(WireReader in, short version) {
        return facts().requestDecoder.read(in, version);
    }

    default Message readResponse(WireReader in, short version) {
        return facts().responseDecoder.read(in, version);
    }
}
