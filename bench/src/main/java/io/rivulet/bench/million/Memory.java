package io.rivulet.bench.million;

import io.rivulet.bench.lab.RunningBroker;
import java.io.IOException;

/** Resident memory in the unit in which it is wanted. Stateless. */
final class Memory {
    static final double BYTES_PER_MIB = 1 << 20;
    private static final double MEGABYTES_PER_MIB = BYTES_PER_MIB / 1e6;

    private Memory() {}

    static double megabytes(RunningBroker broker) throws IOException {
        return broker.residentMib() * MEGABYTES_PER_MIB;
    }

    /** The most that was ever resident. */
    static double highestMegabytes(RunningBroker broker) throws IOException {
        return broker.peakResidentMib() * MEGABYTES_PER_MIB;
    }
}
