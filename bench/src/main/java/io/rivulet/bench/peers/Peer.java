package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A system under test. Immutable. */
interface Peer {
    /** Selects it on the command line. */
    String name();

    String title();

    /** What an acknowledgement promises. */
    String promise();

    /**
     * Fetches or builds its server if it is missing.
     *
     * @throws BrokerFailedException with a message that says how to get it
     */
    void prepare() throws IOException, BrokerFailedException;

    /**
     * Returns the command that starts the server, on the loopback interface only.
     *
     * @param home directory for the data, empty before the first start
     */
    List<String> command(Path home, int port) throws IOException;

    /** Opens a connection. An {@link IOException} means that the server is not ready. */
    PeerConnection connect(int port, PeerShape shape) throws IOException, BrokerFailedException;
}
