package io.rivulet.broker.fetch;

import io.rivulet.broker.environment.RandomIds;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.node.LeaderEpochs;
import io.rivulet.broker.topic.InternalTopic;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchRequest.ForgottenTopic;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that are kept between fetches, bounded in number and in bytes. If there is no room for a new session, a
 * session that was idle for two minutes is evicted, the longest idle one first; then sessions that are two minutes old
 * and have fewer partitions than the new one.
 *
 * <pre>
 * epoch of the request   session id   what happens
 * -1                     0            a session for this fetch alone
 * -1                     s            s ends; then the same
 *  0                     0            a new session; it is kept if there is room, and its next epoch is 1
 *  0                     s            s ends; then the same
 *  e                     s            s continues if its next epoch is e and no fetch has it; that becomes e + 1
 * </pre>
 *
 * <p>Thread-safe, guarded by its monitor, which is never held while a session is filled or ended.
 */
public final class FetchSessions {
    static final long EVICTION_MILLIS = 120_000;

    /** More partitions than this are too much work for an event loop. */
    public static final int SMALL = 1024;

    private static final int NO_SESSION = 0;
    private static final int INITIAL_EPOCH = 0;
    private static final int FINAL_EPOCH = -1;

    private final LeaderEpochs epochs;
    private final TopicCatalogue topics;
    private final QueueInterest interest;
    private final int maxSessions;
    private final long maxBytes;
    private final LongSupplier clockMillis;
    private final RandomIds ids;
    private final Executor longWork;

    /** The longest idle first. */
    private final Map<Integer, FetchSession> kept = new LinkedHashMap<>();

    private long keptBytes;

    /** @param longWork runs work that is too long for an event loop */
    public FetchSessions(
            LeaderEpochs epochs,
            TopicCatalogue topics,
            QueueInterest interest,
            int maxSessions,
            long maxBytes,
            LongSupplier clockMillis,
            RandomIds ids,
            Executor longWork) {
        this.epochs = epochs;
        this.ids = ids;
        this.topics = topics;
        this.interest = interest;
        this.maxSessions = maxSessions;
        this.maxBytes = maxBytes;
        this.clockMillis = clockMillis;
        this.longWork = longWork;
    }

    /**
     * The session of the request, with the changes in the request. The caller has it until {@link #end}.
     *
     * @throws RefusedException if there is no such session, or its epoch differs
     */
    public FetchSession begin(FetchRequest request, boolean byId) {
        if (request.sessionEpoch() == INITIAL_EPOCH || request.sessionEpoch() == FINAL_EPOCH) {
            discard(request.sessionId());
            FetchSession session = new FetchSession(topics, interest, byId);
            session.epoch = request.sessionEpoch() == INITIAL_EPOCH ? 1 : FINAL_EPOCH;
            name(session, request);
            return session;
        }
        FetchSession session = take(request.sessionId(), request.sessionEpoch(), byId);
        for (ForgottenTopic forgotten : request.forgottenTopicsData()) {
            for (int partition : forgotten.partitions()) {
                session.forget(forgotten.topic(), forgotten.topicId(), partition);
            }
        }
        name(session, request);
        return session;
    }

    private void name(FetchSession session, FetchRequest request) {
        for (FetchTopic named : request.topics()) {
            Topic topic = session.byId() ? topics.find(named.topicId()) : topics.find(named.topic());
            // The catalogue's name, so that sessions do not keep a copy of each name.
            String name = topic != null && !session.byId() ? topic.name() : named.topic();
            InternalTopic internal = topic == null ? null : InternalTopic.of(topic);
            if (internal != null) {
                session.reads(internal);
            }
            for (FetchPartition partition : named.partitions()) {
                session.name(
                        name,
                        named.topicId(),
                        partition.partition(),
                        partition.fetchOffset(),
                        partition.partitionMaxBytes(),
                        epochs.check(partition.currentLeaderEpoch()));
            }
        }
    }

    private synchronized FetchSession take(int id, int epoch, boolean byId) {
        FetchSession session = kept.get(id);
        if (session == null) {
            throw new RefusedException(ErrorCode.FETCH_SESSION_ID_NOT_FOUND, "there is no fetch session " + id);
        }
        if (session.byId() != byId) {
            throw new RefusedException(
                    ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR,
                    "session and request must both name topics by id, or both by name");
        }
        if (session.taken || session.epoch != epoch) {
            throw new RefusedException(
                    ErrorCode.INVALID_FETCH_SESSION_EPOCH, "epoch " + epoch + " is not the next epoch of the session");
        }
        session.taken = true;
        session.epoch = epoch == Integer.MAX_VALUE ? 1 : epoch + 1;
        kept.remove(id); // moves it to the end
        kept.put(id, session);
        return session;
    }

    /** Keeps a new session if it may be kept and there is room. Then it gets an id. Called before its first answer. */
    public void keep(FetchSession session) {
        if (session.epoch == FINAL_EPOCH || session.id != NO_SESSION || session.size() == 0) {
            return;
        }
        long now = clockMillis.getAsLong();
        for (FetchSession evicted = tryToKeep(session, now); evicted != null; evicted = tryToKeep(session, now)) {
            retire(evicted);
        }
    }

    /** Keeps the session, or returns an evicted one. */
    private synchronized @Nullable FetchSession tryToKeep(FetchSession session, long now) {
        long bytes = session.bytes();
        if (kept.size() < maxSessions && keptBytes + bytes <= maxBytes) {
            int id = ids.positive();
            while (kept.containsKey(id)) {
                id = ids.positive();
            }
            session.id = id;
            session.taken = true;
            session.createdMillis = now;
            session.usedMillis = now;
            session.countedBytes = bytes;
            keptBytes += bytes;
            kept.put(id, session);
            return null;
        }
        if (bytes > maxBytes) {
            return null;
        }
        FetchSession evicted = evictable(session, now);
        if (evicted != null) {
            drop(evicted);
        }
        return evicted;
    }

    private @Nullable FetchSession evictable(FetchSession forThis, long now) {
        FetchSession smallest = null;
        for (FetchSession session : kept.values()) {
            if (session.taken) {
                continue;
            }
            if (now - session.usedMillis > EVICTION_MILLIS) {
                return session;
            }
            boolean smaller = session.size() < (smallest == null ? forThis.size() : smallest.size());
            if (smaller && now - session.createdMillis > EVICTION_MILLIS) {
                smallest = session;
            }
        }
        return smallest;
    }

    /** The fetch is answered. A session that is not kept ends. */
    public void end(FetchSession session) {
        if (!giveBack(session)) {
            retire(session);
        }
    }

    private void retire(FetchSession session) {
        if (session.size() <= SMALL) {
            session.end();
        } else {
            longWork.execute(session::end);
        }
    }

    private synchronized boolean giveBack(FetchSession session) {
        if (kept.get(session.id) != session) {
            return false;
        }
        long bytes = session.bytes();
        keptBytes += bytes - session.countedBytes;
        session.countedBytes = bytes;
        session.taken = false;
        session.usedMillis = clockMillis.getAsLong();
        if (keptBytes > maxBytes || session.size() == 0) {
            drop(session);
            return false;
        }
        return true;
    }

    /** The client has ended the session. If a fetch has it, that fetch ends it. */
    private void discard(int id) {
        FetchSession ended;
        synchronized (this) {
            ended = id == NO_SESSION ? null : kept.get(id);
            if (ended == null) {
                return;
            }
            drop(ended);
            if (ended.taken) {
                return;
            }
        }
        retire(ended);
    }

    private void drop(FetchSession session) {
        kept.remove(session.id);
        keptBytes -= session.countedBytes;
    }

    public synchronized int count() {
        return kept.size();
    }

    public synchronized long bytes() {
        return keptBytes;
    }
}
