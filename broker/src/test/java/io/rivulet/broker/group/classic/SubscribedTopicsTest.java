package io.rivulet.broker.group.classic;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SubscribedTopicsTest {
    private static final int MANY = 200_000;

    @Test
    void containsExactlyTheTopicsOfAllMembers() {
        List<byte[]> members = IntStream.range(0, 4)
                .mapToObj(member -> subscription(IntStream.range(0, MANY)
                        .filter(i -> i % 4 == member)
                        .mapToObj(SubscribedTopicsTest::name)
                        .toList()))
                .toList();

        SubscribedTopics topics = Objects.requireNonNull(SubscribedTopics.of(members));

        assertThat(IntStream.range(0, MANY).mapToObj(SubscribedTopicsTest::name))
                .allMatch(topics::contains);
        assertThat(IntStream.range(MANY, 2 * MANY).mapToObj(SubscribedTopicsTest::name))
                .noneMatch(topics::contains);
        assertThat(topics.heapBytes()).isLessThanOrEqualTo(4L * Long.BYTES * MANY);
    }

    @Test
    void aTopicOfSeveralMembersIsStoredOnce() {
        byte[] all = subscription(
                IntStream.range(0, 1000).mapToObj(SubscribedTopicsTest::name).toList());

        SubscribedTopics ofOne = Objects.requireNonNull(SubscribedTopics.of(List.of(all)));
        SubscribedTopics ofMany = Objects.requireNonNull(SubscribedTopics.of(List.of(all, all, all, all)));

        assertThat(ofMany.heapBytes()).isEqualTo(ofOne.heapBytes());
    }

    @Test
    void anEmptySubscriptionHasNoTopics() {
        SubscribedTopics topics = Objects.requireNonNull(SubscribedTopics.of(List.of(subscription(List.of()))));

        assertThat(topics.contains("t")).isFalse();
        assertThat(topics.contains("")).isFalse();
    }

    @Test
    void metadataOfOtherClientsIsNotRead() {
        byte[] whole = subscription(List.of("orders"));

        assertThat(SubscribedTopics.of(List.of(new byte[0]))).isNull();
        assertThat(SubscribedTopics.of(List.of(whole, Arrays.copyOf(whole, whole.length - 5))))
                .isNull();
        assertThat(SubscribedTopics.of(List.of(ByteBuffer.allocate(6)
                        .putShort((short) 0)
                        .putInt(Integer.MAX_VALUE)
                        .array())))
                .isNull();
    }

    private static String name(int i) {
        return "device-" + i;
    }

    private static byte[] subscription(List<String> topics) {
        ByteBuffer buffer =
                ByteBuffer.allocate(10 + topics.size() * 20).putShort((short) 1).putInt(topics.size());
        for (String topic : topics) {
            buffer.putShort((short) topic.length()).put(topic.getBytes(StandardCharsets.UTF_8));
        }
        return Arrays.copyOf(buffer.putInt(-1).array(), buffer.position());
    }
}
