package io.rivulet.prove.hostile;

import io.netty.buffer.Unpooled;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ResponseHeader;
import io.rivulet.protocol.message.ShareFetchResponse;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sends frames, a part of them mutated, and checks the answers. Owned by: one thread. */
final class HostileClient {
    /** A request may wait, or have no answer; then the next frame follows on a new connection. */
    private static final int PATIENCE_MILLIS = 20;

    private static final int CONNECT_MILLIS = 60_000;
    private static final int MOST_ANSWER_BYTES = 64 << 20;
    private static final ApiKey[] KEYS = ApiKey.values();
    private static final Pattern UNKNOWN_ERROR = Pattern.compile("rrorCode=-1[,)]");
    private static final Pattern PARTITION_OF_NO_GROUP =
            Pattern.compile("PartitionData\\(partitionIndex=-?\\d+, errorCode=-1,");

    private final int port;
    private final Random random;
    private final Words words;
    private final RandomMessages messages;
    private final List<String> violations = new ArrayList<>();
    private @Nullable Socket socket;

    HostileClient(int port, long seed) {
        this.port = port;
        this.random = new Random(seed);
        this.words = new Words(random);
        this.messages = new RandomMessages(random, words);
    }

    /** Returns what is wrong. */
    List<String> send(int frames) throws IOException {
        try {
            for (int i = 0; i < frames; i++) {
                ApiKey key = KEYS[random.nextInt(KEYS.length)];
                short version =
                        (short) (key.lowestVersion() + random.nextInt(key.highestVersion() - key.lowestVersion() + 1));
                byte[] frame = messages.frame(key, version, i);
                boolean isMutated = random.nextInt(3) == 0;
                exchange(key, version, isMutated ? Mutation.of(frame, random) : frame, isMutated);
            }
            return violations;
        } finally {
            disconnect();
        }
    }

    private void exchange(ApiKey key, short version, byte[] frame, boolean isMutated) throws IOException {
        Socket connected = connect();
        try {
            connected.getOutputStream().write(frame);
            DataInputStream in = new DataInputStream(connected.getInputStream());
            int length = in.readInt();
            if (length < 0 || length > MOST_ANSWER_BYTES) {
                violations.add(key + " version " + version + ": an answer of " + length + " bytes");
                disconnect();
                return;
            }
            connected.setSoTimeout(CONNECT_MILLIS);
            byte[] answer = in.readNBytes(length);
            connected.setSoTimeout(PATIENCE_MILLIS);
            if (!isMutated) {
                check(key, version, answer);
            }
        } catch (SocketTimeoutException e) {
            disconnect();
        } catch (IOException e) {
            disconnect(); // the broker closes the connections of those who send nonsense
        }
    }

    private void check(ApiKey key, short version, byte[] answer) {
        WireReader in = new WireReader(Unpooled.wrappedBuffer(answer));
        try {
            ResponseHeader.read(in, key.responseHeaderVersion(version));
            Message response = key.readResponse(in, version);
            if (UNKNOWN_ERROR.matcher(withoutPromised(response)).find()) {
                violations.add(key + " version " + version + " met an unknown error: " + response);
            }
            words.learn(response);
        } catch (RuntimeException e) {
            violations.add(key + " version " + version + ": the answer can't be read: " + e);
        }
    }

    /** A share fetch of a group that does not exist has this error in its partitions, as in Kafka. */
    private static String withoutPromised(Message response) {
        String text = response.toString();
        return response instanceof ShareFetchResponse
                ? PARTITION_OF_NO_GROUP.matcher(text).replaceAll("")
                : text;
    }

    private Socket connect() throws IOException {
        Socket connected = socket;
        if (connected == null) {
            connected = new Socket(InetAddress.getLoopbackAddress(), port);
            connected.setTcpNoDelay(true);
            connected.setSoTimeout(PATIENCE_MILLIS);
            socket = connected;
        }
        return connected;
    }

    private void disconnect() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
