package io.rivulet.protocol.message.fuzz;

import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The lengths, counts, tags and null marks of a valid frame: the places to attack. */
final class FrameMap {
    /** The encoding of the number. */
    enum Encoding {
        VARINT,
        INT8,
        INT16,
        INT32
    }

    /** A number that determines how the rest of the frame is read. */
    record Spot(int offset, int length, Encoding encoding, int value) {}

    private final MessageSpec message;
    private final int version;
    private final ByteBuffer frame;
    private final List<Spot> spots = new ArrayList<>();

    private FrameMap(MessageSpec message, int version, byte[] frame) {
        this.message = message;
        this.version = version;
        this.frame = ByteBuffer.wrap(frame);
    }

    static List<Spot> spots(MessageSpec message, int version, byte[] frame) {
        FrameMap map = new FrameMap(message, version, frame);
        map.walk(message.root());
        if (map.frame.hasRemaining()) {
            throw new IllegalStateException(message.name() + " version " + version + " was not read to its end");
        }
        return List.copyOf(map.spots);
    }

    private void walk(StructSpec struct) {
        boolean flexible = struct.flexible().contains(version);
        for (FieldSpec field : struct.plainFields()) {
            if (field.versions().contains(version)) {
                walk(field, flexible && !field.neverCompact());
            }
        }
        if (flexible) {
            walkTags(struct);
        }
    }

    private void walkTags(StructSpec struct) {
        for (int left = varint(); left > 0; left--) {
            int tag = varint();
            int end = varint() + frame.position();
            struct.taggedFields().stream().filter(field -> field.tag() == tag).forEach(field -> walk(field, true));
            frame.position(end);
        }
    }

    private void walk(FieldSpec field, boolean compact) {
        if (!field.array()) {
            walkElement(field, compact);
            return;
        }
        for (int left = compact ? varint() - 1 : number(Encoding.INT32); left > 0; left--) {
            walkElement(field, compact);
        }
    }

    private void walkElement(FieldSpec field, boolean compact) {
        switch (field.kind()) {
            case STRING -> skip(compact ? varint() - 1 : number(Encoding.INT16));
            case BYTES, RECORDS -> skip(compact ? varint() - 1 : number(Encoding.INT32));
            case STRUCT -> {
                if (field.array() || !field.mayBeNull() || number(Encoding.INT8) >= 0) {
                    walk(message.struct(field));
                }
            }
            default -> skip(field.kind().fixedBytes());
        }
    }

    private void skip(int length) {
        frame.position(frame.position() + Math.max(0, length));
    }

    private int number(Encoding encoding) {
        int offset = frame.position();
        int value = switch (encoding) {
            case INT8 -> frame.get();
            case INT16 -> frame.getShort();
            default -> frame.getInt();
        };
        spots.add(new Spot(offset, frame.position() - offset, encoding, value));
        return value;
    }

    private int varint() {
        int offset = frame.position();
        int value = 0;
        byte b;
        int shift = 0;
        do {
            b = frame.get();
            value |= (b & 0x7f) << shift;
            shift += 7;
        } while (b < 0);
        spots.add(new Spot(offset, frame.position() - offset, Encoding.VARINT, value));
        return value;
    }
}
