package io.rivulet.store;

/** Why a {@link BatchGate} refuses a batch: an enum of the gate's owner, which finds it in {@link AppendRequest#refusal}. */
public interface GateRefusal {}
