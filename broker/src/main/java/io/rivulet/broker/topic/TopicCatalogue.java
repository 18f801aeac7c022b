package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All topics: a view of the commit log, made from entries in {@link TopicEntryLayout}.
 *
 * <p>The log writer changes it. Any thread reads it and sees a topic as soon as its entry is durable.
 */
public final class TopicCatalogue implements View {
    public static final int VIEW_ID = 1;

    private final TopicIndex topics = new TopicIndex();
    private volatile TopicSettings defaults;
    private volatile @Nullable String clusterId;
    private volatile long changes;
    private volatile boolean anyOverrides;
    private volatile Consumer<Topic> removed = topic -> {};

    /** @param defaults the settings of a topic without its own, at the start */
    public TopicCatalogue(TopicSettings defaults) {
        this.defaults = defaults;
    }

    // ---- any thread ----

    public @Nullable Topic find(String name) {
        return topics.find(name);
    }

    /** A topic whose name is the same when '.' and '_' are, so that no other may have it. */
    public @Nullable Topic findLike(String name) {
        return topics.findLike(name);
    }

    public @Nullable Topic find(Uuid id) {
        return topics.find(id);
    }

    public int size() {
        return topics.size();
    }

    /** Every topic, in no order. Topics that are created or deleted meanwhile may be missing. */
    public void forEach(Consumer<Topic> action) {
        topics.forEach(action);
    }

    /** Like {@link #forEach}, in steps. */
    public TopicWalk walk() {
        return topics.walk();
    }

    /**
     * Visits the name of every topic: some 30 ms for a million.
     *
     * @param seen asked for each name that contains the text; null for all
     */
    public NameSearch search(String part, String after, int most, @Nullable Predicate<String> seen) {
        NameSearch search = new NameSearch(part, after, most, seen);
        topics.search(search);
        return search;
    }

    /** The names of all topics as they are now. */
    SortedNames sortedNames() {
        return topics.sortedNames();
    }

    /** The heap that topics take, estimated. */
    public long heapBytes() {
        return topics.heapBytes();
    }

    /** Sets a listener for deleted topics, called on the log-writer thread. */
    void onRemoved(Consumer<Topic> action) {
        removed = action;
    }

    /** Increases after each creation, growth and deletion of a topic. */
    public long changes() {
        return changes;
    }

    /** Whether any topic has, or had since the start, settings of its own. */
    public boolean anyOverrides() {
        return anyOverrides;
    }

    public TopicSettings defaults() {
        return defaults;
    }

    /** The id of the cluster; null before the first start has written it. */
    public @Nullable String clusterId() {
        return clusterId;
    }

    // ---- log-writer thread ----

    @Override
    public int id() {
        return VIEW_ID;
    }

    @Override
    public void apply(long groupTimestamp, ByteBuffer entries) {
        while (entries.hasRemaining()) {
            apply(entries);
        }
    }

    /** Changes the defaults of all topics. Takes time for each different set of overrides, not for each topic. */
    public void setDefaults(TopicSettings newDefaults) {
        defaults = newDefaults;
        topics.replaceSettings(
                before -> before.overrides().isEmpty() ? newDefaults : newDefaults.withStored(before.overrides()));
    }

    private void apply(ByteBuffer entry) {
        byte type = entry.get();
        switch (type) {
            case TopicEntryLayout.TOPIC_CREATED -> created(entry);
            case TopicEntryLayout.TOPIC_DELETED -> deleted(entry);
            case TopicEntryLayout.PARTITIONS_ADDED -> partitionsAdded(entry);
            case TopicEntryLayout.CONFIGS_SET -> configsSet(entry);
            case TopicEntryLayout.TOPICS_FOLLOW -> topics.expect(entry.getInt());
            case TopicEntryLayout.CLUSTER_NAMED -> clusterId = TopicEntryLayout.takeText(entry);
            default -> throw new IllegalStateException("a catalogue entry has the unknown type " + type);
        }
    }

    private void created(ByteBuffer entry) {
        Uuid id = TopicEntryLayout.takeId(entry);
        int firstQueueId = entry.getInt();
        int count = entry.getInt();
        ByteBuffer name = TopicEntryLayout.takeEncodedText(entry);
        TopicSettings settings = shared(TopicEntryLayout.takeConfigs(entry));
        if (topics.find(id) == null) {
            topics.add(id, firstQueueId, count, name, settings);
            countChange();
        }
    }

    private void deleted(ByteBuffer entry) {
        Uuid id = TopicEntryLayout.takeId(entry);
        Topic last = topics.find(id);
        if (last != null && topics.remove(id)) {
            countChange();
            removed.accept(last);
        }
    }

    private void partitionsAdded(ByteBuffer entry) {
        Uuid id = TopicEntryLayout.takeId(entry);
        int partitionsBefore = entry.getInt();
        int firstQueueId = entry.getInt();
        int count = entry.getInt();
        if (topics.addPartitions(id, partitionsBefore, firstQueueId, count)) {
            countChange();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void countChange() {
        changes++;
    }

    private void configsSet(ByteBuffer entry) {
        Uuid id = TopicEntryLayout.takeId(entry);
        topics.setSettings(id, shared(TopicEntryLayout.takeConfigs(entry)));
    }

    private TopicSettings shared(Map<String, String> overrides) {
        if (overrides.isEmpty()) {
            return defaults;
        }
        anyOverrides = true;
        // A million topics with the same overrides share one object.
        TopicSettings shared = topics.sharedSettings(overrides);
        return shared == null ? defaults.withStored(overrides) : shared;
    }

    @Override
    public Snapshot snapshot() {
        return out -> TopicSnapshot.write(this, out);
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        TopicSnapshot.read(in, entry -> apply(0, entry));
    }
}
