package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.RequestHeader;

/** A blocking connection with Kafka's own messages, for requests and responses of any version. Owned by: one test. */
final class Wire implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = (int) Clients.PATIENCE.toMillis();
    /** The last version that knows topics by name. */
    private static final short FETCH_VERSION = 12;

    private static final int FETCH_BYTES = 1 << 20;

    private final Socket socket;
    private int correlationId;

    Wire(TestBroker broker) throws IOException {
        this(broker.addresses().get(0).getPort());
    }

    Wire(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
    }

    /**
     * Sends a request and returns its response. Fails if the response is to another request, or has bytes after the
     * message.
     */
    ApiMessage ask(ApiKeys key, short version, ApiMessage request) throws IOException {
        send(key, version, request);
        return receive(key, version, correlationId);
    }

    /** The same as a client of this name. */
    ApiMessage askAs(String clientId, ApiKeys key, int version, ApiMessage request) throws IOException {
        send(frame(key, (short) version, request, ++correlationId, clientId));
        return receive(key, (short) version, correlationId);
    }

    /** A request of {@link #askTogether}. */
    record Question(ApiKeys key, int version, ApiMessage request) {}

    /** Sends all requests before it reads an answer. Returns the answers, in the order of the requests. */
    List<ApiMessage> askTogether(Question... questions) throws IOException {
        int first = correlationId + 1;
        sendTogether(questions);
        List<ApiMessage> answers = new ArrayList<>();
        for (int i = 0; i < questions.length; i++) {
            answers.add(receive(questions[i].key, (short) questions[i].version, first + i));
        }
        return answers;
    }

    /** Sends all requests before it reads an answer. Returns the answer to the first. */
    ApiMessage askFirst(Question... questions) throws IOException {
        int first = correlationId + 1;
        sendTogether(questions);
        return receive(questions[0].key, (short) questions[0].version, first);
    }

    /** Sends both requests together. The first one has no answer. Returns the answer to the second. */
    ApiMessage askBehind(Question unanswered, Question question) throws IOException {
        sendTogether(unanswered, question);
        return receive(question.key, (short) question.version, correlationId);
    }

    private void sendTogether(Question... questions) throws IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (Question question : questions) {
            ByteBuffer frame = frame(question.key, (short) question.version, question.request, ++correlationId);
            byte[] copy = new byte[frame.remaining()];
            frame.get(copy);
            frames.writeBytes(copy);
        }
        send(ByteBuffer.wrap(frames.toByteArray()));
    }

    void send(ApiKeys key, short version, ApiMessage request) throws IOException {
        send(frame(key, version, request, ++correlationId));
    }

    /** Encodes a request with its length. */
    static ByteBuffer frame(ApiKeys key, short version, ApiMessage request, int correlationId) {
        return frame(key, version, request, correlationId, "it");
    }

    static ByteBuffer frame(ApiKeys key, short version, ApiMessage request, int correlationId, String clientId) {
        RequestHeader header = new RequestHeader(key, version, clientId, correlationId);
        ObjectSerializationCache cache = new ObjectSerializationCache();
        int headerBytes = header.data().size(cache, header.headerVersion());
        ByteBuffer body = MessageUtil.toByteBufferAccessor(request, version).buffer();
        ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + headerBytes + body.remaining());
        frame.putInt(headerBytes + body.remaining());
        header.data().write(new ByteBufferAccessor(frame), cache, header.headerVersion());
        frame.put(body);
        return frame.flip();
    }

    /** Sends a frame without a header, and returns the next one, as in logins of old clients. */
    byte[] askRaw(byte[] token) throws IOException {
        send(ByteBuffer.allocate(Integer.BYTES + token.length)
                .putInt(token.length)
                .put(token)
                .flip());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] answer = new byte[in.readInt()];
        in.readFully(answer);
        return answer;
    }

    /** Sends bytes that include the length. */
    void send(ByteBuffer bytes) throws IOException {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        socket.getOutputStream().write(copy);
    }

    /** Returns the length of the next answer, and does not decode it. */
    int receiveUnread() throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        int length = in.readInt();
        in.readFully(new byte[length]);
        return length;
    }

    /** @param expectedId the number of the request, from 1 */
    ApiMessage receive(ApiKeys key, short version, int expectedId) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        ByteBufferAccessor frame = new ByteBufferAccessor(ByteBuffer.wrap(bytes));
        assertThat(frame.readInt()).isEqualTo(expectedId);
        if (key.responseHeaderVersion(version) > 0) {
            assertThat(frame.readByte()).isZero(); // no tags
        }
        ApiMessage response = key.messageType.newResponse();
        response.read(frame, version);
        assertThat(frame.remaining()).isZero();
        return response;
    }

    /** Fetches the batches of partition 0 from its start. Fails if one is invalid. */
    List<RecordBatch> batches(String topic) throws IOException {
        FetchRequestData request = new FetchRequestData()
                .setMaxBytes(FETCH_BYTES)
                .setTopics(List.of(new FetchRequestData.FetchTopic()
                        .setTopic(topic)
                        .setPartitions(
                                List.of(new FetchRequestData.FetchPartition().setPartitionMaxBytes(FETCH_BYTES)))));
        FetchResponseData answer = (FetchResponseData) ask(ApiKeys.FETCH, FETCH_VERSION, request);
        MemoryRecords records =
                (MemoryRecords) answer.responses().get(0).partitions().get(0).records();
        List<RecordBatch> batches = new ArrayList<>();
        for (RecordBatch batch : Objects.requireNonNull(records).batches()) {
            batch.ensureValid();
            batches.add(batch);
        }
        return batches;
    }

    /** Whether the broker has closed the connection. */
    boolean isClosedByBroker() throws IOException {
        return socket.getInputStream().read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
