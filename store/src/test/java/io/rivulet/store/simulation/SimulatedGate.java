package io.rivulet.store.simulation;

import io.rivulet.store.BatchGate;
import io.rivulet.store.GateRefusal;
import io.rivulet.store.GateVerdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Admits each {@link Stamp} to a queue once, with the simplest implementation. */
public final class SimulatedGate implements BatchGate {
    public static final int VIEW_ID = 3;

    /** The only reason. */
    public enum Refusal implements GateRefusal {
        OUT_OF_ORDER
    }

    private record Laid(int queueId, long baseOffset, Stamp stamp) {}

    /** The state of durable batches. */
    private final TreeMap<String, Sequences> states = new TreeMap<>();

    private final Deque<Laid> underWay = new ArrayDeque<>();
    private IntPredicate queueExists = queueId -> true;

    static String key(int queueId, int producer) {
        return queueId + "/" + producer;
    }

    @Override
    public int id() {
        return VIEW_ID;
    }

    @Override
    public void opened(IntPredicate exists) {
        queueExists = exists;
    }

    @Override
    public void check(int queueId, ByteBuffer source, int at, int length, int flags, GateVerdict verdict) {
        Stamp stamp = Stamp.of(source, at, length);
        if (stamp == null) {
            verdict.admit();
            return;
        }
        Sequences sequences = states.getOrDefault(key(queueId, stamp.producer()), new Sequences())
                .copy();
        for (Laid laid : underWay) {
            if (laid.queueId == queueId && laid.stamp.producer() == stamp.producer()) {
                sequences.add(laid.stamp.sequence(), laid.baseOffset);
            }
        }
        long found = sequences.verdict(stamp.sequence());
        if (found == Sequences.OUT_OF_ORDER) {
            verdict.refuse(Refusal.OUT_OF_ORDER);
        } else if (found != Sequences.ADMIT) {
            verdict.duplicate(found);
        } else {
            verdict.admit();
        }
    }

    @Override
    public void appended(int queueId, long baseOffset, ByteBuffer source, int at, int length) {
        Stamp stamp = Stamp.of(source, at, length);
        if (stamp != null) {
            underWay.addLast(new Laid(queueId, baseOffset, stamp));
        }
    }

    @Override
    public void rolledBack(int queueId, long baseOffset) {
        if (is(underWay.peekLast(), queueId, baseOffset)) {
            underWay.removeLast();
        }
    }

    @Override
    public void applied(long groupTimestamp, int queueId, long baseOffset, ByteBuffer body, int at, int length) {
        if (is(underWay.peekFirst(), queueId, baseOffset)) {
            underWay.removeFirst();
        }
        Stamp stamp = Stamp.of(body, at, length);
        if (stamp != null) {
            states.computeIfAbsent(key(queueId, stamp.producer()), k -> new Sequences())
                    .add(stamp.sequence(), baseOffset);
        }
    }

    private static boolean is(@Nullable Laid laid, int queueId, long baseOffset) {
        return laid != null && laid.queueId == queueId && laid.baseOffset == baseOffset;
    }

    @Override
    public void apply(long groupTimestamp, ByteBuffer bytes) {
        throw new IllegalStateException("the gate has no entries of its own");
    }

    @Override
    public Snapshot snapshot() {
        StringBuilder text = new StringBuilder();
        states.forEach((key, sequences) ->
                text.append(key).append('=').append(sequences).append('\n'));
        byte[] now = text.toString().getBytes(StandardCharsets.UTF_8);
        return out -> out.write(ByteBuffer.wrap(now));
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        String text = new String(Channels.newInputStream(in).readAllBytes(), StandardCharsets.UTF_8);
        text.lines().forEach(line -> {
            String[] parts = line.split("=", -1);
            states.put(parts[0], Sequences.parse(parts[1]));
        });
    }

    /** The state of existing queues, in the format of the model. */
    public String state() {
        TreeMap<String, Sequences> ofLiveQueues = new TreeMap<>();
        for (Map.Entry<String, Sequences> state : states.entrySet()) {
            int queueId =
                    Integer.parseInt(state.getKey().substring(0, state.getKey().indexOf('/')));
            if (queueExists.test(queueId)) {
                ofLiveQueues.put(state.getKey(), state.getValue());
            }
        }
        return ofLiveQueues.toString();
    }
}
