package io.rivulet.broker.group.streams;

import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.ChangedParts;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.ImageStore;
import io.rivulet.broker.group.base.ItemJournal;
import io.rivulet.broker.group.base.MemberLog;
import io.rivulet.broker.group.base.OffsetCommitter;
import io.rivulet.broker.group.streams.StreamsMember.State;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A group of the streams protocol.
 *
 * <pre>
 * group epoch     rises when members, topics or the number of standbys change; a new group has 1
 * target epoch    follows when the assignor has assigned the tasks anew ({@link TaskTarget})
 * member epoch    follows when the member has revoked its excess tasks ({@link TaskReconciliation})
 *
 * state           Empty: no members. NotReady: topics are missing or do not fit. Assigning: target epoch below group
 *                 epoch. Reconciling: some member has not reached its target. Stable: all have.
 * </pre>
 *
 * <p>{@link StreamsHeartbeat} serves its members. {@link ItemJournal} writes changes into the log; a response waits
 * there until its content is durable.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class StreamsGroup implements Group {
    public static final String TYPE = "streams";
    private static final String PROTOCOL_TYPE = "streams";
    private static final long MILLIS_PER_SECOND = 1000;
    /** In topics. It took long for another reason, such as a pause of the JVM. */
    private static final int SMALL_TOPOLOGY = 100;

    private final String groupId;
    private final StreamsContext context;
    private final ImageStore images;
    private final ItemJournal journal;
    private final StreamsMembers members;
    private final TaskTarget target;
    private final Endpoints endpoints;

    /** Null until the first member has joined. */
    private @Nullable Topology topology;

    /** With the topics that were there when it was last asked for. */
    private @Nullable ConfiguredTopology configured;

    /** Of these topics; null until it is needed. */
    private @Nullable TaskQueues queues;

    /** The topics that tasks read. */
    private Set<String> inputs = Set.of();

    /** Whether it took long to find the topics, so that it needs a turn. */
    private boolean configuresSlowly;

    private @Nullable String shutdownRequester;
    private boolean closed;

    /** @param toCreate internal topics that are missing */
    public record Answer(StreamsGroupHeartbeatResponse response, List<InternalTopic> toCreate) {}

    /** @param images stores items of {@link StreamsEntryLayout} */
    public StreamsGroup(String groupId, StreamsContext context, ImageStore images) {
        this.groupId = groupId;
        this.context = context;
        this.images = images;
        this.members = new StreamsMembers(groupId, context.settings().maxSize());
        this.journal = new ItemJournal(images, changes -> StreamsEntryLayout.items(this, changes));
        this.target = new TaskTarget(groupId, context, members, journal, this::assignAfterDelay);
        this.endpoints = new Endpoints(members);
    }

    /**
     * Serves a member that joins, stays or leaves.
     *
     * @throws RefusedException when the member gets an error; then nothing has changed
     */
    public Answer heartbeat(StreamsGroupHeartbeatRequest request, String clientId, String clientHost) {
        return new StreamsHeartbeat(this).answer(request, clientId, clientHost);
    }

    // ---- topology ----

    /**
     * The topology that the group has if it accepts this one. An empty group takes any; a group with members can't
     * change its topology.
     *
     * @param sent null if the member sends none
     */
    Topology topologyWith(StreamsGroupHeartbeatRequest.@Nullable Topology sent) {
        Topology known = topology;
        if (sent == null) {
            if (known == null) {
                throw new IllegalStateException("a streams group has members and no topology");
            }
            return known;
        }
        Topology wanted = Topology.of(sent);
        if (known == null || members.isEmpty()) {
            return wanted;
        }
        if (known.epoch() <= wanted.epoch() && !known.equals(wanted)) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "Topology updates are not supported yet.");
        }
        return known;
    }

    /**
     * The topology with the topics that exist now, or existed lately if it is large and other groups have their turn.
     * Costs nothing if neither has changed.
     */
    ConfiguredTopology configured(Topology wanted) {
        ConfiguredTopology known = configured;
        if (known != null
                && known.topology().equals(wanted)
                && (known.version() == context.topics().changes()
                        || (configuresSlowly && !context.turns().isFree()))) {
            return known;
        }
        long began = context.turns().begin();
        ConfiguredTopology now = TopologyConfigurer.configure(wanted, context.topics());
        boolean small = now.inputs().size() + now.counts().size() < SMALL_TOPOLOGY;
        configuresSlowly = context.turns().end(began) && !small;
        return now;
    }

    @SuppressWarnings("ReferenceEquality") // comparing two topologies costs more than using the new one
    void use(ConfiguredTopology topics) {
        if (!topics.topology().equals(topology)) {
            restore(topics.topology());
            journal.changes().group(ChangedParts.TOPOLOGY);
        }
        if (configured != topics) {
            configured = topics;
            queues = null;
            endpoints.use(topics);
        }
    }

    // ---- members ----

    /** The member's data may have changed, or it is new. */
    void updated(StreamsMember member, boolean changed) {
        boolean joins = members.find(member.id) == null;
        if (joins && members.isEmpty()) {
            target.beginsToFill();
        }
        if (joins) {
            members.put(member);
            journal.changes().member(member.id, ChangedParts.MEMBER | ChangedParts.CURRENT | ChangedParts.TARGET);
        } else if (changed) {
            journal.changes().member(member.id, ChangedParts.MEMBER);
        }
        ConfiguredTopology topics = configured;
        if (topics != null) {
            target.changed(joins || changed, topics);
        }
    }

    private void assignAfterDelay() {
        ConfiguredTopology topics = configured;
        if (!closed && topics != null && !members.isEmpty()) {
            target.assign(topics);
            publishChanges();
        }
    }

    void reconcile(StreamsMember member, @Nullable ReportedTasks reported) {
        if (!TaskReconciliation.step(member, target.targetEpoch(), reported, members)) {
            return;
        }
        journal.changes().member(member.id, ChangedParts.CURRENT);
        if (member.state == State.UNREVOKED_TASKS) {
            restartRevocation(member);
        } else {
            member.cancelRevocation();
        }
    }

    private void restartRevocation(StreamsMember member) {
        Timers.Timer timer = member.revocation;
        if (timer == null) {
            timer = context.group().timers().timer(() -> fence(member, "it keeps tasks that it must give up"));
            member.revocation = timer;
        }
        timer.set(context.group().clock().nanosIn(member.rebalanceTimeoutMillis));
    }

    void remove(StreamsMember member) {
        member.cancelTimers();
        members.remove(member);
        journal.changes().member(member.id, 0);
        target.memberRemoved();
        endpoints.changed(member);
        if (members.isEmpty()) {
            shutdownRequester = null;
        }
    }

    private void fence(StreamsMember member, String why) {
        if (members.find(member.id) == member) {
            MemberLog.removed(groupId, member.id, member.clientHost, why);
            remove(member);
            publishChanges();
        }
    }

    /** Postpones the end of the member's session. */
    void restartSession(StreamsMember member) {
        Timers.Timer timer = member.session;
        if (timer == null) {
            timer = context.group()
                    .timers()
                    .timer(() -> fence(
                            member, "no heartbeat for " + context.configs().sessionTimeoutMillis(groupId) + " ms"));
            member.session = timer;
        }
        timer.set(context.group().clock().nanosIn(context.configs().sessionTimeoutMillis(groupId)));
    }

    /** All members are told to shut down, until the group is empty. */
    void shutDownFor(String memberId) {
        shutdownRequester = memberId;
    }

    @Nullable
    String shutdownRequester() {
        return shutdownRequester;
    }

    @Override
    public void close() {
        closed = true;
        target.close();
        members.all().forEach(StreamsMember::cancelTimers);
    }

    // ---- the log ----

    private void publishChanges() {
        journal.write();
        images.changed();
    }

    /** Calls back when all changes are durable, now or later, or with the failure. */
    public void whenDurable(Consumer<@Nullable Throwable> action) {
        journal.whenDurable(action);
    }

    /** The group of an image. The sessions of its members start anew. */
    public static StreamsGroup of(String groupId, StreamsImage image, StreamsContext context, ImageStore images) {
        StreamsGroup group = new StreamsGroup(groupId, context, images);
        image.restore(group);
        Topology restored = group.topology;
        if (restored != null) {
            group.useIfPossible(restored);
        }
        group.endpoints.startWith((int) (context.group().clock().stampMillis() / MILLIS_PER_SECOND));
        for (StreamsMember member : group.members.all()) {
            group.restartSession(member);
            if (member.state == State.UNREVOKED_TASKS) {
                group.restartRevocation(member);
            }
        }
        return group;
    }

    private void useIfPossible(Topology restored) {
        try {
            use(TopologyConfigurer.configure(restored, context.topics()));
        } catch (RefusedException e) {
            // The next heartbeat is refused with it.
            configured = null;
        }
    }

    void restore(Topology stored) {
        topology = stored;
        inputs = Set.copyOf(stored.inputs());
    }

    // ---- for all kinds of groups ----

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public String protocolType() {
        return PROTOCOL_TYPE;
    }

    @Override
    public String stateName() {
        if (members.isEmpty()) {
            return "Empty";
        }
        Topology known = topology;
        if (known == null || target.validatedTopologyEpoch() != known.epoch()) {
            return "NotReady";
        }
        if (target.groupEpoch() > target.targetEpoch()) {
            return "Assigning";
        }
        return isStable() ? "Stable" : "Reconciling";
    }

    private boolean isStable() {
        for (StreamsMember member : members.all()) {
            if (member.state != State.STABLE || member.epoch != target.targetEpoch()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean isEmpty() {
        return members.isEmpty();
    }

    @Override
    public boolean isIdle() {
        return members.isEmpty() && journal.isQuiet();
    }

    @Override
    public long emptySinceMillis(long latestMillis) {
        return target.emptySinceMillis(latestMillis);
    }

    @Override
    public boolean offsetsMayExpire() {
        return true;
    }

    @Override
    public boolean isSubscribedTo(String topicName) {
        return !members.isEmpty() && inputs.contains(topicName);
    }

    @Override
    public boolean knowsItsTopics() {
        return true;
    }

    @Override
    public ErrorCode checkCommit(OffsetCommitter committer) {
        int epoch = committer.generation();
        if (epoch < 0 && members.isEmpty()) {
            return ErrorCode.NONE;
        }
        StreamsMember member = members.find(committer.memberId());
        if (member == null) {
            return ErrorCode.UNKNOWN_MEMBER_ID;
        }
        if (!committer.knowsEpochs()) {
            return ErrorCode.UNSUPPORTED_VERSION;
        }
        boolean hadThem = epoch < member.epoch
                && committer.queues().allMatch(queueId -> queues().hadSince(member.since, queueId, epoch));
        return epoch == member.epoch || hadThem ? ErrorCode.NONE : ErrorCode.STALE_MEMBER_EPOCH;
    }

    private TaskQueues queues() {
        TaskQueues found = queues;
        if (found == null) {
            ConfiguredTopology topics = configured;
            found = topics == null ? TaskQueues.NONE : new TaskQueues(topics);
            queues = found;
        }
        return found;
    }

    @Override
    public ErrorCode checkFetch(@Nullable String memberId, int memberEpoch) {
        if (memberId == null && memberEpoch < 0) {
            return ErrorCode.NONE;
        }
        StreamsMember member = memberId == null ? null : members.find(memberId);
        if (member == null) {
            return ErrorCode.UNKNOWN_MEMBER_ID;
        }
        return member.epoch == memberEpoch ? ErrorCode.NONE : ErrorCode.STALE_MEMBER_EPOCH;
    }

    @Override
    public int memberCount() {
        return members.size();
    }

    // ---- for this package ----

    String groupId() {
        return groupId;
    }

    @Nullable
    Topology topology() {
        return topology;
    }

    @Nullable
    ConfiguredTopology configured() {
        return configured;
    }

    TaskTarget target() {
        return target;
    }

    StreamsMembers members() {
        return members;
    }

    Endpoints endpoints() {
        return endpoints;
    }

    StreamsContext context() {
        return context;
    }
}
