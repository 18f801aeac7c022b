package io.rivulet.broker.group.consumer;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Updates the data that a member sends, and remembers whether anything changed. Owned by: the coordinator thread. */
final class MemberUpdate {
    private final ConsumerMember member;
    private boolean change;

    MemberUpdate(ConsumerMember member) {
        this.member = member;
    }

    boolean isChange() {
        return change;
    }

    void client(String clientId, String clientHost) {
        change |= !member.clientId.equals(clientId) || !member.clientHost.equals(clientHost);
        member.clientId = clientId;
        member.clientHost = clientHost;
    }

    /** Here and below, null means no change. */
    void instanceId(@Nullable String instanceId) {
        change |= instanceId != null && !instanceId.equals(member.instanceId);
        member.instanceId = instanceId == null ? member.instanceId : instanceId;
    }

    void rackId(@Nullable String rackId) {
        change |= rackId != null && !rackId.equals(member.rackId);
        member.rackId = rackId == null ? member.rackId : rackId;
    }

    void assignor(@Nullable String assignor) {
        change |= assignor != null && !assignor.equals(member.assignor);
        member.assignor = assignor == null ? member.assignor : assignor;
    }

    /** @param millis -1 for no change */
    void rebalanceTimeout(int millis) {
        change |= millis != -1 && millis != member.rebalanceTimeoutMillis;
        member.rebalanceTimeoutMillis = millis == -1 ? member.rebalanceTimeoutMillis : millis;
    }

    void subscription(@Nullable List<String> names, @Nullable String regex) {
        if (names == null && regex == null) {
            return;
        }
        Subscription wanted = Subscription.of(
                names == null ? member.subscription.names() : names,
                regex == null ? member.subscription.regex() : regex);
        change |= !wanted.equals(member.subscription);
        member.subscription = wanted;
    }

    /** @param classic null for a member of the consumer protocol, even if it used the classic protocol before */
    void classic(@Nullable ClassicMetadata classic) {
        change |= !Objects.equals(classic, member.classic);
        member.classic = classic;
    }
}
