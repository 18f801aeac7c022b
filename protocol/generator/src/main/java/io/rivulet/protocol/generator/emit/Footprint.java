package io.rivulet.protocol.generator.emit;

import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;

/** The minimum size of structs on the wire and their size on the heap, which limit hostile counts. */
final class Footprint {
    private static final int OBJECT_HEADER_BYTES = 12;
    private static final int REFERENCE_BYTES = 4;

    private Footprint() {}

    /** The minimum over all versions of the struct, at least 1. */
    static int minWireBytes(MessageSpec message, StructSpec struct) {
        int min = Integer.MAX_VALUE;
        for (int version = struct.versions().low(); version <= struct.versions().high(); version++) {
            min = Math.min(min, wireBytes(message, struct, version));
        }
        return Math.max(1, min);
    }

    private static int wireBytes(MessageSpec message, StructSpec struct, int version) {
        boolean flexible = struct.flexible().contains(version);
        int sum = flexible ? 1 : 0;
        for (FieldSpec field : struct.plainFields()) {
            if (field.versions().contains(version)) {
                sum += wireBytes(message, field, flexible && !field.neverCompact(), version);
            }
        }
        return sum;
    }

    private static int wireBytes(MessageSpec message, FieldSpec field, boolean compact, int version) {
        if (field.array()) {
            return compact ? 1 : 4;
        }
        return switch (field.kind()) {
            case STRING -> compact ? 1 : 2;
            case BYTES, RECORDS -> compact ? 1 : 4;
            case STRUCT -> field.mayBeNull() ? 1 : wireBytes(message, message.struct(field), version);
            default -> field.kind().fixedBytes();
        };
    }

    /** Bytes of the object and its records, with compressed references, aligned to eight bytes. */
    static int heapBytes(StructSpec struct) {
        // one more reference, for the unknown tags
        int sum = OBJECT_HEADER_BYTES + REFERENCE_BYTES;
        for (FieldSpec field : struct.fields()) {
            sum += field.array() ? REFERENCE_BYTES : field.kind().heapBytes();
        }
        return (sum + 7) / 8 * 8;
    }
}
