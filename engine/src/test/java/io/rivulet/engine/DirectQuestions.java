package io.rivulet.engine;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * One connection to one broker. A client of Kafka would ask whom it takes for the owner, and would repeat what has no
 * answer; here each request is sent once. Owned by: one thread.
 */
final class DirectQuestions implements Closeable {
    private static final int PRODUCE = 0;
    private static final int OFFSET_COMMIT = 8;
    private static final int OFFSET_FETCH = 9;
    private static final int LIST_OFFSETS = 2;
    private static final int API_VERSIONS = 18;
    private static final int CONNECT_MILLIS = 1_000;
    private static final int ANSWER_MILLIS = 2_000;
    private static final int PATIENT_MILLIS = 60_000;
    private static final int LATEST = -1;
    private static final int NO_GENERATION = -1;
    private static final int NO_REPLICA = -1;

    /** Writes the fields of a request behind its header. */
    private interface Body {
        void write(DataOutputStream out) throws IOException;
    }

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private int correlation;

    /** @param from this machine, or one of its addresses */
    DirectQuestions(Machine from, ClusterBroker to) throws IOException {
        this(from, to, ANSWER_MILLIS);
    }

    /** From this machine, to a broker that may take its time. */
    static DirectQuestions patient(ClusterBroker to) throws IOException {
        return new DirectQuestions(Machine.local("localhost"), to, PATIENT_MILLIS);
    }

    private DirectQuestions(Machine from, ClusterBroker to, int answerMillis) throws IOException {
        try {
            socket.bind(new InetSocketAddress(from.host(), 0));
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(answerMillis);
            socket.connect(new InetSocketAddress(to.host(), to.port()), CONNECT_MILLIS);
            in = new DataInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Without members of a group. If this fails, the commit may have been made, or may be made later. */
    void commit(String group, TopicPartition of, long offset) throws IOException {
        ask(OFFSET_COMMIT, 2, out -> {
            out.writeUTF(group);
            out.writeInt(NO_GENERATION);
            out.writeUTF(""); // member
            out.writeLong(-1); // retention
            writeTopic(out, of);
            out.writeLong(offset);
            out.writeUTF(""); // metadata
        });
        skipTopic();
        requireOk(in.readShort());
    }

    /** The committed offset; -1 if there is none. */
    long committed(String group, TopicPartition of) throws IOException {
        ask(OFFSET_FETCH, 1, out -> {
            out.writeUTF(group);
            writeTopic(out, of);
        });
        skipTopic();
        long offset = in.readLong();
        in.skipNBytes(Math.max(0, in.readShort())); // metadata, which may be null
        requireOk(in.readShort());
        return offset;
    }

    /** The end of a partition. */
    long end(TopicPartition of) throws IOException {
        ask(LIST_OFFSETS, 1, out -> {
            out.writeInt(NO_REPLICA);
            writeTopic(out, of);
            out.writeLong(LATEST);
        });
        skipTopic();
        short error = in.readShort();
        in.readLong(); // timestamp
        long offset = in.readLong();
        requireOk(error);
        return offset;
    }

    /** Sends a batch of one record of an idempotent producer. Returns the offset that it has. */
    long produce(TopicPartition to, long producer, int sequence) throws IOException {
        ByteBuffer records = MemoryRecords.withIdempotentRecords(
                        Compression.NONE, producer, (short) 0, sequence, new SimpleRecord(new byte[] {(byte) sequence}))
                .buffer();
        ask(PRODUCE, 7, out -> {
            out.writeShort(-1); // transactional id
            out.writeShort(-1); // acks
            out.writeInt(PATIENT_MILLIS);
            writeTopic(out, to);
            out.writeInt(records.remaining());
            out.write(records.array(), records.arrayOffset() + records.position(), records.remaining());
        });
        skipTopic();
        short error = in.readShort();
        long offset = in.readLong();
        in.skipNBytes(Long.BYTES + Long.BYTES + Integer.BYTES); // timestamp, start of the log, throttle time
        requireOk(error);
        return offset;
    }

    /** The error with which a client is answered that expects this broker of this cluster here. */
    Errors versions(String cluster, int broker) throws IOException {
        ask(API_VERSIONS, 5, out -> {
            out.write(0); // tags of the header
            writeCompact(out, "direct"); // software
            writeCompact(out, "1");
            writeCompact(out, cluster);
            out.writeInt(broker);
            out.write(0); // tags
        });
        return Errors.forCode(in.readShort());
    }

    private static void writeCompact(DataOutputStream out, String text) throws IOException {
        out.write(text.length() + 1);
        out.writeBytes(text);
    }

    private void ask(int api, int version, Body body) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(request);
        out.writeShort(api);
        out.writeShort(version);
        out.writeInt(++correlation);
        out.writeUTF("direct"); // client id
        body.write(out);
        socket.getOutputStream()
                .write(ByteBuffer.allocate(Integer.BYTES + request.size())
                        .putInt(request.size())
                        .put(request.toByteArray())
                        .array());
        in.readInt(); // length
        int answered = in.readInt();
        if (answered != correlation) {
            throw new IllegalStateException("answer " + answered + " to request " + correlation);
        }
    }

    /** An array of one topic with one partition, up to its index. */
    private static void writeTopic(DataOutputStream out, TopicPartition of) throws IOException {
        out.writeInt(1);
        out.writeUTF(of.topic());
        out.writeInt(1);
        out.writeInt(of.partition());
    }

    private void skipTopic() throws IOException {
        in.readInt();
        in.readUTF();
        in.readInt();
        in.readInt();
    }

    private static void requireOk(short error) throws IOException {
        if (error != 0) {
            throw new IOException("error " + Errors.forCode(error));
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
