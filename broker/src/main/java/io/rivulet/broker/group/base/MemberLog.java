package io.rivulet.broker.group.base;

import io.rivulet.store.failure.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs that a group has lost a member that did not leave. Thread-safe. */
public final class MemberLog {
    private static final Logger LOG = LoggerFactory.getLogger(MemberLog.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(20);

    private MemberLog() {}

    public static void removed(String groupId, String memberId, String clientHost, String why) {
        LIMIT.log(
                more -> LOG.info("Group {} has lost member {} at {}: {}{}", groupId, memberId, clientHost, why, more));
    }

    public static void replaced(String groupId, String memberId, String instanceId) {
        LIMIT.log(more -> LOG.info(
                "Group {}: member {} is fenced, because another client joined with its group.instance.id {}{}",
                groupId,
                memberId,
                instanceId,
                more));
    }
}
