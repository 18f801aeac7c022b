package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The protocol of NATS. A queue is a subject of one stream; a message is published with the subject of a reply, where
 * JetStream acknowledges it. Owned by: one thread, except {@link #close}.
 */
final class NatsConnection extends PeerConnection {
    private static final int NUMBER_DIGITS = 10;
    private static final long NUMBERS = 10_000_000_000L;
    private static final byte[] HELLO = Text.ascii(
            "CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true}\r\nSUB r.* 1\r\n");
    private static final byte[] PONG = Text.ascii("PONG\r\n");
    private static final byte[] PUBLISH = Text.ascii("PUB q.");
    private static final byte[] REPLY = Text.ascii(" r.");
    private static final byte[] SIZE = Text.ascii(" " + PeerShape.VALUE_BYTES + "\r\n");
    private static final byte[] END = Text.ascii("\r\n");
    private static final String STREAM =
            "{\"name\":\"Q\",\"subjects\":[\"q.*\"],\"retention\":\"limits\",\"storage\":\"file\",\"num_replicas\":1}";
    private static final Pattern SUBJECT = Pattern.compile("\"q\\.([0-9]{7})\":([0-9]+)");

    private final PeerShape shape;
    private final byte[] value = Text.value();
    private final NatsReplies replies = new NatsReplies();

    NatsConnection(int port, PeerShape shape) throws IOException {
        super(port);
        this.shape = shape;
        out().put(HELLO);
    }

    @Override
    void create() throws IOException, BrokerFailedException {
        ask("$JS.API.STREAM.CREATE.Q", STREAM);
    }

    private String ask(String subject, String body) throws IOException, BrokerFailedException {
        replies.keep(true);
        byte[] request = Text.ascii("PUB " + subject + " r.0 " + body.length() + "\r\n" + body + "\r\n");
        exchange(1, 1, (out, number) -> out.put(request), (number, unused) -> {});
        replies.keep(false);
        return replies.payload();
    }

    @Override
    int messagesPerRequest() {
        return 1;
    }

    @Override
    void encode(ByteBuffer out, long number) {
        out.put(PUBLISH);
        Text.putDigits(out, number % shape.queues());
        out.put(REPLY);
        Text.putDigits(out, number % NUMBERS, NUMBER_DIGITS);
        out.put(SIZE).put(value).put(END);
    }

    /** The server sends the subjects of a stream in pages. */
    @Override
    void count(Answers counts) throws IOException, BrokerFailedException {
        for (int seen = 0; seen < shape.queues(); ) {
            String page = ask("$JS.API.STREAM.INFO.Q", "{\"subjects_filter\":\"q.*\",\"offset\":" + seen + "}");
            Matcher subject = SUBJECT.matcher(page);
            int before = seen;
            while (subject.find()) {
                counts.answered(Integer.parseInt(subject.group(1)), Long.parseLong(subject.group(2)));
                seen++;
            }
            if (seen == before) {
                return;
            }
        }
    }

    @Override
    boolean next(ByteBuffer in, long unused, Answers answers) throws BrokerFailedException {
        boolean complete = replies.next(in, answers);
        if (replies.takePing()) {
            out().put(PONG);
        }
        return complete;
    }
}
