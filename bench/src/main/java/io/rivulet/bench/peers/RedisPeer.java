package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Redis. A queue is a stream. Immutable. */
record RedisPeer(int memoryMib) implements Peer {
    private static final String SERVER = "redis-server";

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public String title() {
        return "Redis Streams 7.0";
    }

    @Override
    public String promise() {
        return "fsync (`appendfsync always`)";
    }

    @Override
    public void prepare() throws BrokerFailedException {
        if (Tools.find(SERVER).isEmpty()) {
            throw new BrokerFailedException("not installed: apt-get install redis-server");
        }
    }

    @Override
    public List<String> command(Path home, int port) {
        return List.of(
                Tools.find(SERVER).orElseThrow().toString(),
                "--bind",
                "127.0.0.1",
                "--port",
                String.valueOf(port),
                "--dir",
                home.toString(),
                "--appendonly",
                "yes",
                "--appendfsync",
                "always",
                "--save",
                "",
                "--maxmemory",
                memoryMib + "mb",
                "--maxmemory-policy",
                "noeviction");
    }

    @Override
    public PeerConnection connect(int port, PeerShape shape) throws IOException {
        return new RespConnection(port, shape);
    }
}
