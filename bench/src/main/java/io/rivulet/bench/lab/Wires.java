package io.rivulet.bench.lab;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Connections that are opened and closed together. Owned by: one thread. */
public record Wires(List<Wire> all) implements Closeable {
    public static Wires open(int port, int count) throws IOException {
        Wires wires = new Wires(new ArrayList<>());
        try {
            for (int i = 0; i < count; i++) {
                wires.all.add(new Wire(port));
            }
            return wires;
        } catch (IOException e) {
            wires.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        for (Wire wire : all) {
            wire.close();
        }
    }
}
