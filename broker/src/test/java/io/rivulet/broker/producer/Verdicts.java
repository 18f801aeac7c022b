package io.rivulet.broker.producer;

import io.rivulet.store.BatchGate;
import io.rivulet.store.GateVerdict;
import java.nio.ByteBuffer;

/** The verdicts of a gate as values that a test can compare. Stateless. */
public final class Verdicts {
    public static final Object ADMIT = "admitted";

    private Verdicts() {}

    /** {@link #ADMIT}; the base offset of a duplicate, a Long; or why the batch is refused. */
    public static Object of(BatchGate gate, int queueId, ByteBuffer source, int at, int length, int flags) {
        GateVerdict verdict = new GateVerdict();
        verdict.refuse(BatchRefusal.FENCED); // what the last batch left behind
        gate.check(queueId, source, at, length, flags, verdict);
        if (verdict.isAdmitted()) {
            return ADMIT;
        }
        Object refusal = verdict.refusal();
        return refusal != null ? refusal : Long.valueOf(verdict.baseOffset());
    }
}
