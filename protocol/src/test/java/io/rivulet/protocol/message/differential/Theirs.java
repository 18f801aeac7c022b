package io.rivulet.protocol.message.differential;

import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Kafka's own classes: the oracle. */
final class Theirs extends Library {
    @Override
    Class<?> messageClass(MessageSpec message) {
        return Schemas.theirs(message);
    }

    @Override
    String setterName(String field) {
        return "set" + Character.toUpperCase(field.charAt(0)) + field.substring(1);
    }

    @Override
    Object toLibrary(FieldSpec field, Class<?> type, Object value) {
        if (type == List.class && value instanceof ByteBuffer bytes) {
            return bytes(bytes);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(one -> toLibrary(field, Object.class, one)).toList();
        }
        return switch (field.kind()) {
            case INT8 -> ((Long) value).byteValue();
            case INT16 -> ((Long) value).shortValue();
            case UINT16, INT32 -> ((Long) value).intValue();
            case UUID -> new Uuid(((Tree.Id) value).most(), ((Tree.Id) value).least());
            case BYTES -> type == ByteBuffer.class ? ((ByteBuffer) value).duplicate() : Tree.bytes(value);
            case RECORDS -> MemoryRecords.readableRecords(((ByteBuffer) value).duplicate());
            default -> value;
        };
    }

    private static List<Byte> bytes(ByteBuffer buffer) {
        return java.util.stream.IntStream.range(0, buffer.remaining())
                .mapToObj(buffer::get)
                .toList();
    }

    @Override
    Object collection(Class<?> type, List<Object> list) throws ReflectiveOperationException {
        if (type == List.class) {
            return list;
        }
        @SuppressWarnings("unchecked")
        Collection<Object> collection =
                (Collection<Object>) type.getDeclaredConstructor().newInstance();
        collection.addAll(list);
        return collection;
    }

    @Override
    Object toTree(FieldSpec field, Object value) {
        if (value instanceof List<?> list) {
            return isBytes(field)
                    ? bytes(list)
                    : list.stream().map(one -> toTree(field, one)).toList();
        }
        if (value instanceof byte[] bytes) {
            return ByteBuffer.wrap(bytes);
        }
        if (value instanceof Uuid uuid) {
            return new Tree.Id(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
        }
        if (value instanceof MemoryRecords records) {
            return records.buffer().duplicate();
        }
        return value instanceof Number number && !(value instanceof Double) ? (Object) number.longValue() : value;
    }

    private static boolean isBytes(FieldSpec field) {
        return field.kind() == io.rivulet.protocol.generator.schema.FieldKind.BYTES;
    }

    private static ByteBuffer bytes(List<?> list) {
        ByteBuffer buffer = ByteBuffer.allocate(list.size());
        list.forEach(one -> buffer.put((Byte) one));
        return buffer.flip();
    }

    @Override
    void setTags(Object struct, List<Tree.Tag> tags) {
        for (Tree.Tag tag : tags) {
            ((Message) struct).unknownTaggedFields().add(new RawTaggedField(tag.tag(), Tree.bytes(tag.data())));
        }
    }

    @Override
    List<Tree.Tag> tags(Object struct) {
        return ((Message) struct)
                .unknownTaggedFields().stream()
                        .map(tag -> new Tree.Tag(tag.tag(), ByteBuffer.wrap(tag.data())))
                        .toList();
    }

    @Override
    byte[] write(Object message, int version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(((Message) message).size(cache, (short) version));
        ((Message) message).write(new ByteBufferAccessor(buffer), cache, (short) version);
        if (buffer.hasRemaining()) {
            throw new IllegalStateException("the oracle wrote fewer bytes than it computed");
        }
        return buffer.array();
    }

    @Override
    int sizeInBytes(Object message, int version) {
        return ((Message) message).size(new ObjectSerializationCache(), (short) version);
    }

    @Override
    Object read(MessageSpec message, byte[] bytes, int version) {
        try {
            ByteBufferAccessor in = new ByteBufferAccessor(ByteBuffer.wrap(bytes));
            Message read =
                    (Message) messageClass(message).getDeclaredConstructor().newInstance();
            read.read(in, (short) version);
            if (in.remaining() != 0) {
                throw new IllegalStateException("the oracle did not read " + in.remaining() + " bytes");
            }
            return read;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
