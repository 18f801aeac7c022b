package io.rivulet.broker.share;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.fetch.FetchSession;
import io.rivulet.broker.fetch.FetchSessions;
import io.rivulet.broker.fetch.QueueInterest;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.message.ShareFetchRequest.FetchPartition;
import io.rivulet.protocol.message.ShareFetchRequest.FetchTopic;
import io.rivulet.protocol.message.ShareFetchRequest.ForgottenTopic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;

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
 * <p>Thread-safe, guarded by its monitor, which is never held while a session is filled or ended.
 */
public final class ShareSessions {
    static final int INITIAL_EPOCH = 0;
    static final int FINAL_EPOCH = -1;

    private final ShareGroups groups;
    private final TopicCatalogue topics;
    private final QueueInterest interest;
    private final int maxSessions;
    private final Executor longWork;
    private final Map<ShareSession.Key, ShareSession> sessions = new HashMap<>();
    private final Map<Call.Origin, Set<ShareSession.Key>> byOrigin = new HashMap<>();

    /** @param longWork runs work that is too long for an event loop */
    public ShareSessions(
            ShareGroups groups, TopicCatalogue topics, QueueInterest interest, int maxSessions, Executor longWork) {
        this.groups = groups;
        this.topics = topics;
        this.interest = interest;
        this.maxSessions = maxSessions;
        this.longWork = longWork;
    }

    public synchronized int count() {
        return sessions.size();
    }

    /** A new session for the fetch. A session of the same name ends. */
    ShareSession open(ShareSession.Key key, Call.Origin origin, ShareFetchRequest request) {
        end(key);
        ShareSession session = new ShareSession(key, origin, new FetchSession(topics, interest, true));
        session.epoch = 1;
        session.taken = true;
        add(session);
        try {
            name(session, request);
        } catch (RefusedException e) {
            end(session);
            giveBack(session);
            throw e;
        }
        return session;
    }

    private synchronized void add(ShareSession session) {
        if (sessions.size() >= maxSessions) {
            throw new RefusedException(
                    ErrorCode.SHARE_SESSION_LIMIT_REACHED, "there are " + maxSessions + " share sessions");
        }
        if (sessions.putIfAbsent(session.key, session) != null) {
            throw new RefusedException(
                    ErrorCode.INVALID_SHARE_SESSION_EPOCH, "another request of the member opens its session");
        }
        Call.Origin origin = session.origin;
        Set<ShareSession.Key> known = byOrigin.get(origin);
        if (known == null) {
            byOrigin.put(origin, new HashSet<>(Set.of(session.key)));
            origin.whenClosed(() -> closed(origin));
        } else {
            known.add(session.key);
        }
    }

    /** The session with the next epoch, with the changes in the request. The fetch has it until {@link #giveBack}. */
    ShareSession take(ShareSession.Key key, int epoch, ShareFetchRequest request) {
        ShareSession session = take(key, epoch);
        try {
            for (ForgottenTopic forgotten : request.forgottenTopicsData()) {
                for (int partition : forgotten.partitions()) {
                    session.partitions.forget("", forgotten.topicId(), partition);
                }
            }
            name(session, request);
        } catch (RefusedException e) {
            giveBack(session);
            throw e;
        }
        advance(session);
        return session;
    }

    private synchronized ShareSession take(ShareSession.Key key, int epoch) {
        ShareSession session = next(key, epoch);
        session.taken = true;
        return session;
    }

    private synchronized void advance(ShareSession session) {
        session.epoch = session.epoch == Integer.MAX_VALUE ? 1 : session.epoch + 1;
    }

    /** Adds the partitions that the session does not have. */
    private void name(ShareSession session, ShareFetchRequest request) {
        int newTopics = 0;
        int newPartitions = 0;
        for (FetchTopic topic : request.topics()) {
            newTopics += session.partitions.has(topic.topicId()) ? 0 : 1;
            for (FetchPartition partition : topic.partitions()) {
                newPartitions += session.partitions.has(topic.topicId(), partition.partitionIndex()) ? 0 : 1;
            }
        }
        if (newPartitions == 0) {
            return;
        }
        reserve(session, session.partitions.bytesWith(newTopics, newPartitions));
        for (FetchTopic topic : request.topics()) {
            for (FetchPartition partition : topic.partitions()) {
                session.partitions.name(
                        "", topic.topicId(), partition.partitionIndex(), 0, Integer.MAX_VALUE, ErrorCode.NONE);
            }
        }
    }

    private synchronized void reserve(ShareSession session, long bytes) {
        if (!groups.memory().tryAdd(bytes - session.countedBytes)) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION, "the session needs more memory than rivulet.share.bytes has");
        }
        session.countedBytes = bytes;
    }

    /** Checks the epoch of a request without a fetch. */
    synchronized void acknowledge(ShareSession.Key key, int epoch) {
        advance(next(key, epoch));
    }

    private ShareSession next(ShareSession.Key key, int epoch) {
        ShareSession session = require(key);
        if (session.epoch != epoch || session.taken) {
            throw new RefusedException(
                    ErrorCode.INVALID_SHARE_SESSION_EPOCH, "epoch " + epoch + " is not the next epoch of the session");
        }
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
    void giveBack(ShareSession session) {
        if (!isKept(session)) {
            retire(session);
        }
    }

    private synchronized boolean isKept(ShareSession session) {
        session.taken = false;
        if (sessions.get(session.key) != session) {
            return false;
        }
        long bytes = session.partitions.bytes();
        groups.memory().add(bytes - session.countedBytes);
        session.countedBytes = bytes;
        return true;
    }

    /** Ends the session of the name, if there is one. What it has acquired is for the caller to release. */
    void end(ShareSession.Key key) {
        ShareSession session;
        synchronized (this) {
            session = sessions.get(key);
        }
        if (session != null) {
            end(session);
        }
    }

    private void end(ShareSession session) {
        boolean isIdle;
        synchronized (this) {
            boolean isRemoved = sessions.remove(session.key, session);
            isIdle = isRemoved && !session.taken;
            Set<ShareSession.Key> known = byOrigin.get(session.origin);
            if (isRemoved && known != null) {
                known.remove(session.key);
            }
        }
        if (isIdle) {
            retire(session);
        }
    }

    /** Nobody has the session any more. Its bytes are counted until it has no registrations. */
    private void retire(ShareSession session) {
        if (session.partitions.size() <= FetchSessions.SMALL) {
            endNow(session);
        } else {
            longWork.execute(() -> endNow(session));
        }
    }

    private void endNow(ShareSession session) {
        session.end();
        long bytes;
        synchronized (this) {
            bytes = session.countedBytes;
            session.countedBytes = 0;
        }
        groups.memory().add(-bytes);
    }

    private void closed(Call.Origin origin) {
        List<ShareSession> ended = new ArrayList<>();
        synchronized (this) {
            Set<ShareSession.Key> known = byOrigin.remove(origin);
            for (ShareSession.Key key : known == null ? Set.<ShareSession.Key>of() : known) {
                ended.add(Objects.requireNonNull(sessions.get(key)));
            }
        }
        for (ShareSession session : ended) {
            end(session);
            groups.release(session.key.groupId(), session.key.member(), failure -> {});
        }
    }
}
