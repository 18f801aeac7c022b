package io.rivulet.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.bench.lab.BrokerFailedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReplyParsersTest {
    private static final int ROCKETMQ_NUMBER = 1_000_000_000;

    /** What a parser has read. */
    private record Answer(long number, long value) {}

    @FunctionalInterface
    private interface Parser {
        boolean next(ByteBuffer in, long number, PeerConnection.Answers answers) throws BrokerFailedException;
    }

    @Test
    void redisRepliesAreReadAtAnyCut() throws BrokerFailedException {
        byte[] replies = bytes("+PONG\r\n$15\r\n1700000000000-0\r\n:42\r\n$4\r\n\r\n\r\n\r\n:7\r\n");

        for (int cut = 0; cut <= replies.length; cut++) {
            assertThat(readCut(RespReplies::next, replies, cut))
                    .as("cut at %d", cut)
                    .containsExactly(
                            new Answer(0, 0), new Answer(1, 0), new Answer(2, 42), new Answer(3, 0), new Answer(4, 7));
        }
    }

    @Test
    void anErrorOfRedisIsAFailure() {
        assertThatThrownBy(() -> readCut(RespReplies::next, bytes("-LOADING the dataset\r\n"), 0))
                .isInstanceOf(BrokerFailedException.class)
                .hasMessageContaining("LOADING the dataset");
    }

    @Test
    void natsMessagesAreReadAtAnyCut() throws BrokerFailedException {
        String info = "INFO {\"port\":4222}\r\n";
        String first = "MSG r.0000000012 1 22\r\n{\"stream\":\"Q\",\"seq\":1}\r\n";
        byte[] sent = bytes(info + first + "+OK\r\nMSG r.7 1 4\r\n\r\n\r\n\r\nPONG\r\n");

        for (int cut = 0; cut <= sent.length; cut++) {
            assertThat(readCut(nats(new NatsReplies()), sent, cut))
                    .as("cut at %d", cut)
                    .containsExactly(new Answer(12, 0), new Answer(7, 0));
        }
    }

    @Test
    void aPingOfNatsIsSeenOnce() throws BrokerFailedException {
        NatsReplies replies = new NatsReplies();

        readCut(nats(replies), bytes("PING\r\n"), 0);

        assertThat(replies.takePing()).isTrue();
        assertThat(replies.takePing()).isFalse();
    }

    @Test
    void anErrorOfJetStreamIsAFailure() {
        byte[] error = bytes("MSG r.1 1 32\r\n{\"error\":{\"code\":503},\"seq\":123}\r\n");

        assertThatThrownBy(() -> readCut(nats(new NatsReplies()), error, 0))
                .isInstanceOf(BrokerFailedException.class)
                .hasMessageContaining("503");
    }

    @Test
    void thatNobodyAnswersIsAFailure() {
        byte[] noResponders = bytes("HMSG r.1 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n");

        assertThatThrownBy(() -> readCut(nats(new NatsReplies()), noResponders, 0))
                .isInstanceOf(BrokerFailedException.class)
                .hasMessageContaining("HMSG");
    }

    @Test
    void thePayloadOfNatsIsKeptIfWanted() throws BrokerFailedException {
        NatsReplies replies = new NatsReplies();
        replies.keep(true);

        readCut(nats(replies), bytes("MSG r.0 1 12\r\n{\"q.0001\":5}\r\n"), 20);

        assertThat(replies.payload()).isEqualTo("{\"q.0001\":5}");
    }

    @Test
    void rocketMqAnswersAreReadAtAnyCut() throws BrokerFailedException {
        ByteBuffer sent = ByteBuffer.allocate(1000);
        putAnswer(sent, "{\"code\":0,\"extFields\":{\"queueOffset\":\"3\"},\"flag\":1,\"opaque\":1000000009}", 0);
        putAnswer(sent, "{\"code\":0,\"extFields\":{\"offset\":\"77\"},\"flag\":1,\"opaque\":1000000004}", 5);
        byte[] bytes = new byte[sent.flip().remaining()];
        sent.get(bytes);

        for (int cut = 0; cut <= bytes.length; cut++) {
            assertThat(readCut((in, unused, answers) -> RemotingReplies.next(in, answers), bytes, cut))
                    .as("cut at %d", cut)
                    .containsExactly(new Answer(9, 0), new Answer(4, 77));
        }
    }

    @Test
    void anErrorOfRocketMqIsAFailure() {
        ByteBuffer sent = ByteBuffer.allocate(1000);
        putAnswer(sent, "{\"code\":14,\"flag\":1,\"opaque\":" + ROCKETMQ_NUMBER + ",\"remark\":\"not now\"}", 0);

        assertThatThrownBy(() -> RemotingReplies.next(sent.flip(), (number, value) -> {}))
                .isInstanceOf(BrokerFailedException.class)
                .hasMessageContaining("not now");
    }

    @Test
    void aRequestHoldsADivisorOfTheQueues() {
        assertThat(new PeerShape(1, 500).messagesPerRequest()).isEqualTo(100);
        assertThat(new PeerShape(10_000, 500).messagesPerRequest()).isEqualTo(100);
        assertThat(new PeerShape(250, 500).messagesPerRequest()).isEqualTo(50);
        assertThat(new PeerShape(7, 500).messagesPerRequest()).isEqualTo(7);
        assertThat(new PeerShape(7, 3).messagesPerRequest()).isEqualTo(1);
    }

    private static Parser nats(NatsReplies replies) {
        return (in, unused, answers) -> replies.next(in, answers);
    }

    private static void putAnswer(ByteBuffer out, String header, int bodyBytes) {
        byte[] json = bytes(header);
        out.putInt(Integer.BYTES + json.length + bodyBytes).putInt(json.length).put(json);
        out.put(new byte[bodyBytes]);
    }

    /** Reads what has arrived before the cut, then the rest. */
    private static List<Answer> readCut(Parser parser, byte[] bytes, int cut) throws BrokerFailedException {
        List<Answer> answers = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        for (int end : new int[] {cut, bytes.length}) {
            in.limit(end);
            while (parser.next(in, answers.size(), (number, value) -> answers.add(new Answer(number, value)))) {
                // all that is there
            }
        }
        assertThat(in.remaining()).isZero();
        return answers;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
