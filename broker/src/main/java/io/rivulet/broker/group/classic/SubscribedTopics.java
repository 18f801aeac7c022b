package io.rivulet.broker.group.classic;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The only look that is taken into what members say to each other: consumers name the topics that they have subscribed to, whose
 * offsets then must neither expire nor be deleted. All versions begin alike:
 *
 * <pre>
 * | version 2 | count 4 | for each topic: length 2, name | whatever follows
 * </pre>
 *
 * Stateless.
 */
final class SubscribedTopics {
    private static final int MIN_TOPIC_BYTES = Short.BYTES;

    private SubscribedTopics() {}

    /** Null when one of them is not what a consumer sends. */
    static @Nullable Set<String> of(Collection<byte[]> subscriptions) {
        Set<String> topics = new HashSet<>();
        try {
            for (byte[] subscription : subscriptions) {
                if (!add(ByteBuffer.wrap(subscription), topics)) {
                    return null;
                }
            }
        } catch (BufferUnderflowException e) {
            return null;
        }
        return topics;
    }

    private static boolean add(ByteBuffer subscription, Set<String> topics) {
        int version = subscription.getShort();
        int count = subscription.getInt();
        if (version < 0 || count < 0 || count > subscription.remaining() / MIN_TOPIC_BYTES) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            int length = subscription.getShort();
            if (length < 0 || length > subscription.remaining()) {
                return false;
            }
            byte[] name = new byte[length];
            subscription.get(name);
            topics.add(new String(name, StandardCharsets.UTF_8));
        }
        return true;
    }
}
