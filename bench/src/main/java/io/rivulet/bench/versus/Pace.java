package io.rivulet.bench.versus;

/** How long things are measured. */
record Pace(int warmUpSeconds, int measuredSeconds) {}
