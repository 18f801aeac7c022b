package io.rivulet.prove.hostile;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.Records;
import io.rivulet.protocol.wire.Struct;
import io.rivulet.protocol.wire.Uuid;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Makes well-formed requests with random content. Owned by: one thread. */
final class RandomMessages {
    /** A version lacks fields, so a message that has all of them can't be written: each try sets fewer. */
    private static final int[] PERCENT_SET = {95, 60, 30, 10, 0};

    private static final int FEW = 3;
    private static final int MANY = 200;
    private static final int LONG_TEXT = 3000;
    private static final int MOST_BYTES = 60;
    private static final int MOST_WAIT_MILLIS = 3;

    private final Random random;
    private final Words words;
    private int percentSet;

    RandomMessages(Random random, Words words) {
        this.random = random;
        this.words = words;
    }

    /** A frame with its length. */
    byte[] frame(ApiKey key, short version, int correlationId) {
        RuntimeException last = new IllegalStateException("no request of " + key);
        for (int percent : PERCENT_SET) {
            percentSet = percent;
            try {
                return encode(key, version, correlationId, (Message) filled(requestClass(key)));
            } catch (RuntimeException e) {
                last = e; // this version can't carry it
            }
        }
        throw new IllegalStateException("no request of " + key + " version " + version + " can be made", last);
    }

    private static Class<?> requestClass(ApiKey key) {
        StringBuilder name = new StringBuilder();
        for (String word : key.name().split("_")) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        try {
            return Class.forName(ApiKey.class.getPackageName() + "." + name + "Request");
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static byte[] encode(ApiKey key, short version, int correlationId, Message request) {
        ByteBuf frame = Unpooled.buffer();
        frame.writeInt(0);
        new RequestHeader()
                .requestApiKey(key.id())
                .requestApiVersion(version)
                .correlationId(correlationId)
                .clientId("hostile")
                .write(frame, key.requestHeaderVersion(version));
        request.write(frame, version);
        frame.setInt(0, frame.readableBytes() - Integer.BYTES);
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        return bytes;
    }

    private Object filled(Class<?> type) {
        Object struct = Fields.make(type);
        for (Field field : Fields.of(type)) {
            if (random.nextInt(100) < percentSet) {
                fill(struct, field);
            }
        }
        return struct;
    }

    private void fill(Object struct, Field field) {
        Class<?> type = field.getType();
        String name = field.getName();
        if (type == int.class && name.toLowerCase(Locale.ROOT).endsWith("ms")) {
            Fields.set(field, struct, random.nextInt(20) == 0 ? words.integer() : random.nextInt(MOST_WAIT_MILLIS));
        } else if (type == List.class) {
            Type element = ((ParameterizedType) field.getGenericType()).getActualTypeArguments()[0];
            Fields.set(field, struct, list((Class<?>) element));
        } else {
            Object value = value(type);
            if (value != null || !type.isPrimitive()) {
                Fields.set(field, struct, value);
            }
        }
    }

    private @Nullable List<Object> list(Class<?> element) {
        int size = random.nextInt(500) == 0 ? MANY : random.nextInt(FEW);
        if (random.nextInt(20) == 0) {
            return null;
        }
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Object value = value(element);
            if (value != null) {
                list.add(value);
            }
        }
        return list;
    }

    private @Nullable Object value(Class<?> type) {
        if (type == String.class) {
            return text();
        } else if (type == int.class || type == Integer.class) {
            return words.integer();
        } else if (type == long.class || type == Long.class) {
            return words.number();
        } else if (type == short.class || type == Short.class) {
            return (short) (random.nextInt(4) == 0 ? words.integer() : random.nextInt(4) - 1);
        } else if (type == byte.class || type == Byte.class) {
            return (byte) (random.nextInt(8) - 1);
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == double.class) {
            return random.nextInt(4) == 0 ? Double.NaN : random.nextDouble() * 1000;
        } else if (type == Uuid.class) {
            return words.id();
        } else if (type == byte[].class) {
            return bytes(random.nextInt(MOST_BYTES));
        } else if (type == int[].class) {
            return new int[] {words.integer(), random.nextInt(FEW)};
        } else if (type == long[].class) {
            return new long[] {words.number()};
        } else if (type == Records.class) {
            return records();
        }
        return Struct.class.isAssignableFrom(type) ? filled(type) : null;
    }

    private @Nullable String text() {
        return switch (random.nextInt(40)) {
            case 0 -> "";
            case 1 -> null;
            case 2 -> new String(bytes(random.nextInt(MOST_BYTES)), StandardCharsets.ISO_8859_1);
            case 3 -> "x".repeat(random.nextInt(LONG_TEXT));
            case 4 -> "[(" + words.text() + "*)+]{1,9}";
            default -> words.text();
        };
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A batch, one time in three with a wrong byte. */
    private Records records() {
        ByteBuf batch;
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            if (random.nextInt(3) == 0) {
                builder.producer(words.number(), (short) random.nextInt(FEW), random.nextInt(FEW));
            }
            for (int i = random.nextInt(FEW); i >= 0; i--) {
                builder.append(
                        System.currentTimeMillis(), bytes(random.nextInt(FEW)), bytes(random.nextInt(MOST_BYTES)));
            }
            batch = builder.build();
        }
        if (random.nextInt(3) == 0) {
            int at = random.nextInt(batch.readableBytes());
            batch.setByte(at, random.nextInt());
        }
        byte[] copy = new byte[batch.readableBytes()];
        batch.readBytes(copy);
        batch.release();
        return Records.of(Unpooled.wrappedBuffer(copy));
    }
}
