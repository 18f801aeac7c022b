package io.rivulet.store;

/**
 * Why a {@link BatchGate} refuses a batch. The owner of the gate implements it with an enum, and reads it from {@link
 * AppendRequest#refusal}.
 */
public interface GateRefusal {}
