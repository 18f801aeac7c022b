package io.rivulet.broker.share;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.fetch.FetchSession;
import io.rivulet.broker.fetch.QueueInterest;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.message.ShareFetchRequest.FetchPartition;
import io.rivulet.protocol.message.ShareFetchRequest.FetchTopic;
import io.rivulet.protocol.message.ShareFetchRequest.ForgottenTopic;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The sessions of members of share groups, bounded in number and in bytes. A session ends with its connection: then
 * what the member has acquired is released.
 *
 * <pre>
 * epoch of the request   what happens
 *  0                     a new session; one of the same name ends, and keeps what it has acquired
 *  e                     the session continues if its next epoch is e, and no fetch has it; that becomes e + 1
 * -1                     the session ends, and what it has acquired is released
 * </pre>
 *
 * <p>Thread-safe, guarded by its monitor.
 */
public final class ShareSessions {
    static final int INITIAL_EPOCH = 0;
    static final int FINAL_EPOCH = -1;

    private final ShareGroups groups;
    private final TopicCatalogue topics;
    private final QueueInterest interest;
    private final int maxSessions;
    private final Map<ShareSession.Key, ShareSession> sessions = new HashMap<>();
    private final Map<Call.Origin, Set<ShareSession.Key>> byOrigin = new HashMap<>();

    public ShareSessions(ShareGroups groups, TopicCatalogue topics, QueueInterest interest, int maxSessions) {
        this.groups = groups;
        this.topics = topics;
        this.interest = interest;
        this.maxSessions = maxSessions;
    }

    public synchronized int count() {
        return sessions.size();
    }

    /** A new session for the fetch. A session of the same name ends. */
    ShareSession open(ShareSession.Key key, Call.Origin origin, ShareFetchRequest request) {
        ShareSession session;
        synchronized (this) {
            ShareSession before = sessions.get(key);
            if (before != null) {
                remove(before);
            }
            if (sessions.size() >= maxSessions) {
                throw new RefusedException(
                        ErrorCode.SHARE_SESSION_LIMIT_REACHED, "there are " + maxSessions + " share sessions");
            }
            session = new ShareSession(key, origin, new FetchSession(topics, interest, true));
            session.epoch = 1;
            session.taken = true;
            sessions.put(key, session);
            Set<ShareSession.Key> known = byOrigin.get(origin);
            if (known == null) {
                byOrigin.put(origin, new HashSet<>(Set.of(key)));
                origin.whenClosed(() -> closed(origin));
            } else {
                known.add(key);
            }
        }
        name(session, request);
        return session;
    }

    /** The session with the next epoch, with the changes in the request. The fetch has it until {@link #giveBack}. */
    ShareSession take(ShareSession.Key key, int epoch, ShareFetchRequest request) {
        ShareSession session;
        synchronized (this) {
            session = next(key, epoch);
            session.taken = true;
        }
        for (ForgottenTopic forgotten : request.forgottenTopicsData()) {
            for (int partition : forgotten.partitions()) {
                session.partitions.forget("", forgotten.topicId(), partition);
            }
        }
        name(session, request);
        return session;
    }

    private static void name(ShareSession session, ShareFetchRequest request) {
        for (FetchTopic topic : request.topics()) {
            for (FetchPartition partition : topic.partitions()) {
                session.partitions.name(
                        "", topic.topicId(), partition.partitionIndex(), 0, Integer.MAX_VALUE, ErrorCode.NONE);
            }
        }
    }

    /** Checks the epoch of a request without a fetch. */
    synchronized void acknowledge(ShareSession.Key key, int epoch) {
        ShareSession unused = next(key, epoch);
    }

    private ShareSession next(ShareSession.Key key, int epoch) {
        ShareSession session = require(key);
        if (session.epoch != epoch || session.taken) {
            throw new RefusedException(
                    ErrorCode.INVALID_SHARE_SESSION_EPOCH, "epoch " + epoch + " is not the next epoch of the session");
        }
        session.epoch = epoch == Integer.MAX_VALUE ? 1 : epoch + 1;
        return session;
    }

    /** @throws RefusedException if there is no such session */
    synchronized ShareSession require(ShareSession.Key key) {
        ShareSession session = sessions.get(key);
        if (session == null) {
            throw new RefusedException(ErrorCode.SHARE_SESSION_NOT_FOUND, "there is no such share session");
        }
        return session;
    }

    /** The fetch is answered. */
    synchronized void giveBack(ShareSession session) {
        session.taken = false;
        if (sessions.get(session.key) != session) {
            session.end();
            return;
        }
        long bytes = session.partitions.bytes();
        groups.memory().add(bytes - session.countedBytes);
        session.countedBytes = bytes;
    }

    /** Ends the session of the name, if there is one. What it has acquired is for the caller to release. */
    synchronized void end(ShareSession.Key key) {
        ShareSession session = sessions.get(key);
        if (session != null) {
            remove(session);
        }
    }

    private void remove(ShareSession session) {
        sessions.remove(session.key);
        groups.memory().add(-session.countedBytes);
        session.countedBytes = 0;
        Set<ShareSession.Key> known = byOrigin.get(session.origin);
        if (known != null) {
            known.remove(session.key);
        }
        if (!session.taken) {
            session.end();
        }
    }

    private void closed(Call.Origin origin) {
        Set<ShareSession.Key> ended;
        synchronized (this) {
            Set<ShareSession.Key> known = byOrigin.remove(origin);
            ended = known == null ? Set.of() : Set.copyOf(known);
            ended.forEach(this::end);
        }
        ended.forEach(key -> groups.release(key.groupId(), key.member(), failure -> {}));
    }
}
