package io.rivulet.broker.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.sasl.ClientLogin;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.message.ApiVersionsResponse;
import io.rivulet.protocol.message.ApiVersionsResponse.ApiVersion;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.message.ResponseHeader;
import io.rivulet.protocol.message.SaslAuthenticateRequest;
import io.rivulet.protocol.message.SaslAuthenticateResponse;
import io.rivulet.protocol.message.SaslHandshakeRequest;
import io.rivulet.protocol.message.SaslHandshakeResponse;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import javax.net.ssl.SSLException;

/** One connection to one broker. Owned by one thread. */
public final class BrokerConnection implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int ANSWER_MILLIS = 60_000;
    private static final int MAX_ANSWER_BYTES = 128 << 20;
    private static final short VERSIONS_VERSION = 3;
    private static final short HANDSHAKE_VERSION = 1;
    private static final String CLIENT_ID = "rivulet";

    private final String address;
    private final Socket socket;
    private final DataInputStream in;
    private final List<ApiVersion> served;
    private int correlationId;

    /**
     * Connects to the first address that accepts the connection.
     *
     * @param servers host:port, separated by commas
     */
    public static BrokerConnection to(String servers, ClientSettings settings) {
        ClientException failed = new ClientException(
                "can't connect to " + servers + ": is the broker running, and is this its address?");
        for (String server : servers.split(",", -1)) {
            try {
                return new BrokerConnection(server.strip(), place(server.strip()), settings);
            } catch (SSLException e) {
                throw (ClientException)
                        new ClientException("no TLS with " + server.strip() + ": " + e.getMessage()).initCause(e);
            } catch (IOException e) {
                failed.addSuppressed(e);
            }
        }
        throw failed;
    }

    private static InetSocketAddress place(String address) {
        int colon = address.lastIndexOf(':');
        try {
            String host = address.substring(0, Math.max(0, colon)).replaceAll("[\\[\\]]", "");
            return new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new ClientException("'" + address + "' is not host:port");
        }
    }

    private BrokerConnection(String address, InetSocketAddress place, ClientSettings settings) throws IOException {
        this.address = address;
        Socket connected = new Socket();
        try {
            connected.connect(place, CONNECT_MILLIS);
            connected.setTcpNoDelay(true);
            connected.setSoTimeout(ANSWER_MILLIS);
            socket = settings.secure(connected, place.getHostString());
            in = new DataInputStream(socket.getInputStream());
            ApiVersionsRequest versions =
                    new ApiVersionsRequest().clientSoftwareName(CLIENT_ID).clientSoftwareVersion("0");
            served = ((ApiVersionsResponse) exchange(ApiKey.API_VERSIONS, VERSIONS_VERSION, versions)).apiKeys();
            if (settings.login() != null) {
                login(settings.login());
            }
        } catch (IOException | RuntimeException e) {
            connected.close();
            throw e;
        }
    }

    private void login(ClientLogin login) throws IOException {
        SaslHandshakeResponse offered = (SaslHandshakeResponse) exchange(
                ApiKey.SASL_HANDSHAKE,
                HANDSHAKE_VERSION,
                new SaslHandshakeRequest().mechanism(login.mechanism().text()));
        ClientException.require(
                offered.errorCode(),
                "it has " + offered.mechanisms(),
                "login by " + login.mechanism().text());
        ClientLogin.Conversation conversation = login.begin();
        byte[] answer = {};
        for (byte[] next = conversation.next(answer); next != null; next = conversation.next(answer)) {
            SaslAuthenticateResponse response = (SaslAuthenticateResponse) exchange(
                    ApiKey.SASL_AUTHENTICATE,
                    ApiKey.SASL_AUTHENTICATE.highestVersion(),
                    new SaslAuthenticateRequest().authBytes(next));
            ClientException.require(response.errorCode(), response.errorMessage(), "login as " + login.user());
            answer = response.authBytes();
        }
    }

    public List<ApiVersion> served() {
        return served;
    }

    /** Sends a request in the newest version that both sides know. */
    public <R extends Message> R ask(ApiKey key, Message request, Class<R> answer) {
        return ask(key, key.highestVersion(), request, answer);
    }

    /** @param newest the newest version that may be used */
    public <R extends Message> R ask(ApiKey key, int newest, Message request, Class<R> answer) {
        for (ApiVersion versions : served) {
            if (versions.apiKey() == key.id()) {
                int version = Math.min(newest, Math.min(versions.maxVersion(), key.highestVersion()));
                try {
                    return answer.cast(exchange(key, (short) version, request));
                } catch (IOException e) {
                    throw (ClientException)
                            new ClientException("no response from " + address + ": " + e.getMessage()).initCause(e);
                }
            }
        }
        throw new ClientException("the broker at " + address + " does not serve " + key.apiName());
    }

    private Message exchange(ApiKey key, short version, Message request) throws IOException {
        RequestHeader header = new RequestHeader()
                .requestApiKey(key.id())
                .requestApiVersion(version)
                .correlationId(++correlationId)
                .clientId(CLIENT_ID);
        ByteBuf frame = Unpooled.buffer();
        frame.writeInt(0);
        header.write(frame, key.requestHeaderVersion(version));
        request.write(frame, version);
        frame.setInt(0, frame.readableBytes() - Integer.BYTES);
        frame.readBytes(socket.getOutputStream(), frame.readableBytes());
        return answer(key, version);
    }

    private Message answer(ApiKey key, short version) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_ANSWER_BYTES) {
            throw new IOException("a response of " + length + " bytes");
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the broker closed the connection");
        }
        WireReader reader = new WireReader(Unpooled.wrappedBuffer(bytes));
        int answered =
                ResponseHeader.read(reader, key.responseHeaderVersion(version)).correlationId();
        if (answered != correlationId) {
            throw new IOException("a response to request " + answered + " instead of " + correlationId);
        }
        return key.readResponse(reader, version);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
