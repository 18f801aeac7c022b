package io.rivulet.prove.hostile;

import io.rivulet.protocol.wire.Struct;
import io.rivulet.protocol.wire.Uuid;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Values that mean something to the broker: known ones, and those in its responses. Owned by: one thread. */
final class Words {
    private static final int MOST = 64;
    private static final int LONGEST = 100;
    private static final List<String> KNOWN =
            List.of("topic", "other", "group", "share", "streams", "id", "range", "consumer", "uniform", "0", "1", "*");

    private final Random random;
    private final List<String> texts = new ArrayList<>(KNOWN);
    private final List<Uuid> ids = new ArrayList<>(List.of(Uuid.ZERO));
    private final List<Integer> ints =
            new ArrayList<>(List.of(0, 1, -1, 2, 3, 100, Integer.MAX_VALUE, Integer.MIN_VALUE));
    private final List<Long> longs = new ArrayList<>(List.of(0L, 1L, -1L, -2L, Long.MAX_VALUE, Long.MIN_VALUE));

    Words(Random random) {
        this.random = random;
    }

    String text() {
        return one(texts);
    }

    Uuid id() {
        return one(ids);
    }

    int integer() {
        return one(ints);
    }

    long number() {
        return one(longs);
    }

    private <T> T one(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** Keeps the values in a response. */
    void learn(@Nullable Object value) {
        if (value instanceof String text && text.length() <= LONGEST) {
            keep(texts, text);
        } else if (value instanceof Uuid id) {
            keep(ids, id);
        } else if (value instanceof Long number) {
            keep(longs, number);
        } else if (value instanceof Integer number) {
            keep(ints, number);
        } else if (value instanceof List<?> list) {
            list.forEach(this::learn);
        } else if (value instanceof Struct struct) {
            for (Field field : Fields.of(struct.getClass())) {
                learn(Fields.get(field, struct));
            }
        }
    }

    private <T> void keep(List<T> all, T one) {
        if (all.contains(one)) {
            return;
        }
        if (all.size() < MOST) {
            all.add(one);
        } else {
            all.set(random.nextInt(MOST), one);
        }
    }
}
