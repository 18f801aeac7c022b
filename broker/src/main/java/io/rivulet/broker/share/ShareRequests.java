package io.rivulet.broker.share;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import org.jspecify.annotations.Nullable;

/** What both requests of share groups check first. Stateless. */
final class ShareRequests {
    private static final int LONGEST_MEMBER = 36;

    private ShareRequests() {}

    static ErrorCode check(Access access, @Nullable String groupId) {
        return groupId != null && access.mayGroup(Operation.READ, groupId)
                ? ErrorCode.NONE
                : ErrorCode.GROUP_AUTHORIZATION_FAILED;
    }

    /** @throws RefusedException if the names are no names */
    static ShareSession.Key key(@Nullable String groupId, @Nullable String member) {
        if (groupId == null || member == null || member.isEmpty() || member.length() > LONGEST_MEMBER) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "the group or the id of the member is not valid");
        }
        return new ShareSession.Key(groupId, member);
    }
}
