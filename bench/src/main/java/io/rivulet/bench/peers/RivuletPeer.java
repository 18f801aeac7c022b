package io.rivulet.bench.peers;

import io.rivulet.bench.lab.Lab;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Rivulet. A queue is a partition of one topic. Immutable. */
record RivuletPeer() implements Peer {
    @Override
    public String name() {
        return "rivulet";
    }

    @Override
    public String title() {
        return "Rivulet";
    }

    @Override
    public String promise() {
        return "fsync";
    }

    @Override
    public void prepare() {
        // bin/rivulet has built it
    }

    @Override
    public List<String> command(Path home, int port) {
        return List.of(
                Lab.inProject("bin/rivulet").toString(),
                "start",
                "--override",
                "listeners=PLAINTEXT://localhost:" + port,
                "--override",
                "log.dirs=" + home.resolve("data"));
    }

    @Override
    public PeerConnection connect(int port, PeerShape shape) throws IOException {
        return new ProduceConnection(port, shape);
    }
}
