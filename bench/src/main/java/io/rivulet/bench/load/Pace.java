package io.rivulet.bench.load;

/** Durations of a measurement. */
public record Pace(int warmUpSeconds, int measuredSeconds) {}
