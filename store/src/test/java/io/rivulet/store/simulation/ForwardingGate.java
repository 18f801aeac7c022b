package io.rivulet.store.simulation;

import io.rivulet.store.BatchGate;
import io.rivulet.store.GateVerdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.function.IntPredicate;

/** Forwards to another gate; tests override methods to add bugs. */
public class ForwardingGate implements BatchGate {
    private final BatchGate gate;

    public ForwardingGate(BatchGate gate) {
        this.gate = gate;
    }

    @Override
    public int id() {
        return gate.id();
    }

    @Override
    public void opened(IntPredicate queueExists) {
        gate.opened(queueExists);
    }

    @Override
    public void check(int queueId, ByteBuffer source, int at, int length, int flags, GateVerdict verdict) {
        gate.check(queueId, source, at, length, flags, verdict);
    }

    @Override
    public void appended(int queueId, long baseOffset, ByteBuffer source, int at, int length) {
        gate.appended(queueId, baseOffset, source, at, length);
    }

    @Override
    public void rolledBack(int queueId, long baseOffset) {
        gate.rolledBack(queueId, baseOffset);
    }

    @Override
    public void applied(long groupTimestamp, int queueId, long baseOffset, ByteBuffer body, int at, int length) {
        gate.applied(groupTimestamp, queueId, baseOffset, body, at, length);
    }

    @Override
    public void apply(long groupTimestamp, ByteBuffer bytes) {
        gate.apply(groupTimestamp, bytes);
    }

    @Override
    public Snapshot snapshot() {
        return gate.snapshot();
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        gate.load(in);
    }
}
