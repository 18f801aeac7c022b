package io.rivulet.broker.group.classic;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.SyncGroupResponse;

/** Error responses of classic groups. Stateless. */
public final class ClassicAnswers {
    private ClassicAnswers() {}

    public static JoinGroupResponse joinError(String memberId, ErrorCode error) {
        return new JoinGroupResponse()
                .errorCode(error.code())
                .memberId(memberId)
                .protocolType(null)
                .protocolName("");
    }

    public static SyncGroupResponse syncError(ErrorCode error) {
        return new SyncGroupResponse().errorCode(error.code());
    }
}
