package io.rivulet.protocol.record;

import org.jspecify.annotations.Nullable;

/** One header of a record to be built. Its value is not copied, and must not change before the record is appended. */
@SuppressWarnings("ArrayRecordComponent") // only a carrier: nothing compares two of them
public record RecordHeader(String key, byte @Nullable [] value) {}
