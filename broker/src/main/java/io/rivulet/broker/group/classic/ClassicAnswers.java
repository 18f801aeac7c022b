package io.rivulet.broker.group.classic;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.SyncGroupResponse;

/** Error responses of classic groups. Stateless. */
public final class ClassicAnswers {
    private static final short NULL_PROTOCOL_FROM_VERSION = 7;

    private ClassicAnswers() {}

    public static JoinGroupResponse joinError(String memberId, ErrorCode error) {
        return new JoinGroupResponse()
                .errorCode(error.code())
                .memberId(memberId)
                .protocolType(null)
                .protocolName("");
    }

    /** The answer of a group of the consumer protocol, which names neither the member nor a protocol. */
    public static JoinGroupResponse joinRefused(short version, ErrorCode error) {
        return joinError("", error).protocolName(version >= NULL_PROTOCOL_FROM_VERSION ? null : "");
    }

    public static SyncGroupResponse syncError(ErrorCode error) {
        return new SyncGroupResponse().errorCode(error.code());
    }
}
