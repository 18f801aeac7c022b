package io.rivulet.broker.group.classic;

import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.SyncGroupResponse;
import io.rivulet.protocol.wire.Empty;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A member of a classic group.
 *
 * <p>Owned by: the coordinator thread.
 */
final class ClassicMember {
    private static final int OVERHEAD_BYTES = 300;

    final @Nullable String instanceId;
    final String clientId;
    final String clientHost;
    String id;
    int sessionTimeoutMillis;
    int rebalanceTimeoutMillis;
    /** The protocols that it supports, the preferred first. */
    List<JoinGroupRequestProtocol> protocols;

    byte[] assignment = Empty.BYTES;
    /** It has not been in a generation yet. */
    boolean isNew;

    Timers.@Nullable Timer session;
    private @Nullable Consumer<JoinGroupResponse> joinReply;
    private @Nullable Consumer<SyncGroupResponse> syncReply;

    ClassicMember(String id, JoinCall call) {
        this(
                id,
                call.request().groupInstanceId(),
                call.clientId(),
                call.clientHost(),
                call.request().protocols());
        sessionTimeoutMillis = call.request().sessionTimeoutMs();
        rebalanceTimeoutMillis = rebalanceTimeout(call);
    }

    ClassicMember(
            String id,
            @Nullable String instanceId,
            String clientId,
            String clientHost,
            List<JoinGroupRequestProtocol> protocols) {
        this.id = id;
        this.instanceId = instanceId;
        this.clientId = clientId;
        this.clientHost = clientHost;
        this.protocols = protocols;
    }

    /** A member that comes from a group of the consumer protocol. */
    static ClassicMember of(ClassicHandover.Member handed) {
        ClassicMember member = new ClassicMember(
                handed.id(), handed.instanceId(), handed.clientId(), handed.clientHost(), handed.protocols());
        member.sessionTimeoutMillis = handed.sessionTimeoutMillis();
        member.rebalanceTimeoutMillis = handed.rebalanceTimeoutMillis();
        member.assignment = handed.assignment();
        return member;
    }

    ClassicHandover.Member handedOver() {
        return new ClassicHandover.Member(
                id,
                instanceId,
                clientId,
                clientHost,
                sessionTimeoutMillis,
                rebalanceTimeoutMillis,
                protocols,
                assignment);
    }

    private static int rebalanceTimeout(JoinCall call) {
        int asked = call.request().rebalanceTimeoutMs();
        return asked < 0 ? call.request().sessionTimeoutMs() : asked;
    }

    /** Updates the member from its new join request. */
    void update(JoinCall call) {
        protocols = call.request().protocols();
        sessionTimeoutMillis = call.request().sessionTimeoutMs();
        rebalanceTimeoutMillis = rebalanceTimeout(call);
    }

    /** The approximate heap bytes of protocols: names may be as long as metadata. */
    static long protocolBytes(List<JoinGroupRequestProtocol> protocols) {
        long bytes = 0;
        for (JoinGroupRequestProtocol offered : protocols) {
            bytes += 64 + 2L * offered.name().length() + offered.metadata().length;
        }
        return bytes;
    }

    byte[] metadata(@Nullable String protocol) {
        for (JoinGroupRequestProtocol offered : protocols) {
            if (offered.name().equals(protocol)) {
                return offered.metadata();
            }
        }
        return Empty.BYTES;
    }

    /** The approximate heap bytes, without its assignment. */
    long heapBytes() {
        return OVERHEAD_BYTES + 2L * (id.length() + clientId.length() + clientHost.length()) + protocolBytes(protocols);
    }

    // ---- waiting requests ----

    boolean isJoining() {
        return joinReply != null;
    }

    boolean isSyncing() {
        return syncReply != null;
    }

    /**
     * A member that joins again while it waits is answered on the new call; the old call gets REBALANCE_IN_PROGRESS.
     */
    void awaitJoin(Consumer<JoinGroupResponse> reply) {
        Consumer<JoinGroupResponse> before = joinReply;
        joinReply = reply;
        if (before != null) {
            before.accept(ClassicAnswers.joinError(id, ErrorCode.REBALANCE_IN_PROGRESS));
        }
    }

    void awaitSync(Consumer<SyncGroupResponse> reply) {
        Consumer<SyncGroupResponse> before = syncReply;
        syncReply = reply;
        if (before != null) {
            before.accept(ClassicAnswers.syncError(ErrorCode.REBALANCE_IN_PROGRESS));
        }
    }

    /** Does nothing if the member does not wait. */
    void answerJoin(JoinGroupResponse response) {
        Consumer<JoinGroupResponse> reply = joinReply;
        joinReply = null;
        if (reply != null) {
            reply.accept(response);
        }
    }

    /** Does nothing if the member does not wait. */
    boolean answerSync(SyncGroupResponse response) {
        Consumer<SyncGroupResponse> reply = syncReply;
        syncReply = null;
        if (reply != null) {
            reply.accept(response);
        }
        return reply != null;
    }
}
