package io.rivulet.protocol.message.differential;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.Records;
import io.rivulet.protocol.wire.UnknownTag;
import io.rivulet.protocol.wire.Uuid;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The generated classes. */
class Ours extends Library {
    @Override
    Class<?> messageClass(MessageSpec message) {
        return Schemas.ours(message);
    }

    @Override
    String setterName(String field) {
        return field;
    }

    @Override
    Object toLibrary(FieldSpec field, Class<?> type, Object value) {
        if (type.isArray() && value instanceof List<?> list) {
            Object array = Array.newInstance(type.getComponentType(), list.size());
            for (int i = 0; i < list.size(); i++) {
                Array.set(array, i, toLibrary(field, type.getComponentType(), list.get(i)));
            }
            return array;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(one -> toLibrary(field, Object.class, one)).toList();
        }
        return switch (field.kind()) {
            case INT8 -> ((Long) value).byteValue();
            case INT16 -> ((Long) value).shortValue();
            case UINT16, INT32 -> ((Long) value).intValue();
            case UUID -> new Uuid(((Tree.Id) value).most(), ((Tree.Id) value).least());
            case BYTES -> Tree.bytes(value);
            case RECORDS -> Records.of(Unpooled.wrappedBuffer((ByteBuffer) value));
            default -> value;
        };
    }

    @Override
    Object collection(Class<?> type, List<Object> list) {
        return list;
    }

    @Override
    Object toTree(FieldSpec field, Object value) {
        if (value instanceof byte[] bytes) {
            return ByteBuffer.wrap(bytes);
        }
        if (value.getClass().isArray()) {
            List<Object> list = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                list.add(toTree(field, Array.get(value, i)));
            }
            return list;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(one -> toTree(field, one)).toList();
        }
        if (value instanceof Uuid uuid) {
            return new Tree.Id(uuid.mostSignificantBits(), uuid.leastSignificantBits());
        }
        if (value instanceof Records records) {
            return ByteBuffer.wrap(ByteBufUtil.getBytes(records.slice()));
        }
        return value instanceof Number number && !(value instanceof Double) ? (Object) number.longValue() : value;
    }

    @Override
    void setTags(Object struct, List<Tree.Tag> tags) throws ReflectiveOperationException {
        List<UnknownTag> list = tags.stream()
                .map(tag -> new UnknownTag(tag.tag(), Tree.bytes(tag.data())))
                .toList();
        method(struct.getClass(), "unknownTags", 1).invoke(struct, list);
    }

    @Override
    List<Tree.Tag> tags(Object struct) {
        return ((Message) struct)
                .unknownTags().stream()
                        .map(tag -> new Tree.Tag(tag.tag(), ByteBuffer.wrap(tag.data())))
                        .toList();
    }

    @Override
    byte[] write(Object message, int version) {
        ByteBuf buffer = Unpooled.buffer();
        ((Message) message).write(buffer, (short) version);
        return ByteBufUtil.getBytes(buffer);
    }

    @Override
    int sizeInBytes(Object message, int version) {
        return ((Message) message).sizeInBytes((short) version);
    }

    @Override
    Object read(MessageSpec message, byte[] bytes, int version) {
        return read(message, Unpooled.wrappedBuffer(bytes), version);
    }

    static Object read(MessageSpec message, ByteBuf frame, int version) {
        try {
            return Schemas.ours(message)
                    .getMethod("read", ByteBuf.class, short.class)
                    .invoke(null, frame, (short) version);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
