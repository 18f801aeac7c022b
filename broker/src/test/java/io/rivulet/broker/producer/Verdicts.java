package io.rivulet.broker.producer;

import io.rivulet.store.BatchGate;
import io.rivulet.store.GateVerdict;
import java.nio.ByteBuffer;

/** The verdicts of a gate as values that a test can compare. Stateless. */
public final class Verdicts {
    public static final Object ADMIT = "admitted";

    private Verdicts() {}

    /** {@link #ADMIT}; or the base offset of a duplicate, as a Long; or the reason of a refusal. */
    public static Object of(BatchGate gate, int queueId, ByteBuffer source, int at, int length, int flags) {
        GateVerdict verdict = new GateVerdict();
        verdict.refuse(BatchRefusal.FENCED); // the verdict of an earlier batch
        gate.check(queueId, source, at, length, flags, verdict);
        if (verdict.isAdmitted()) {
            return ADMIT;
        }
        Object refusal = verdict.refusal();
        return refusal != null ? refusal : Long.valueOf(verdict.baseOffset());
    }
}
