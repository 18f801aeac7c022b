package io.rivulet.store.simulation;

import io.rivulet.store.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;

/**
 * Folds its entries into a count and a hash, and their timestamps into another hash, so that any wrong replay is
 * detected.
 */
public final class FoldingView implements View {
    public static final String EMPTY = "0:1";

    private final int id;
    private long count;
    private long hash;
    private long timestampHash = 1;

    public FoldingView(int id) {
        this(id, EMPTY);
    }

    FoldingView(int id, String state) {
        this.id = id;
        set(state);
    }

    private void set(String state) {
        String[] parts = state.split(":", -1);
        count = Long.parseLong(parts[0]);
        hash = Long.parseLong(parts[1]);
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public void apply(long groupTimestamp, ByteBuffer bytes) {
        count++;
        for (int at = bytes.position(); at < bytes.limit(); at++) {
            hash = 31 * hash + bytes.get(at);
        }
        timestampHash = 31 * timestampHash + groupTimestamp;
    }

    @Override
    public Snapshot snapshot() {
        byte[] now = (state() + "/" + timestampHash).getBytes(StandardCharsets.UTF_8);
        return out -> out.write(ByteBuffer.wrap(now));
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        String text = new String(Channels.newInputStream(in).readAllBytes(), StandardCharsets.UTF_8);
        String[] parts = text.split("/", -1);
        set(parts[0]);
        timestampHash = Long.parseLong(parts[1]);
    }

    /** Count and hash, in the format of the model. */
    public String state() {
        return count + ":" + hash;
    }

    /** State that the model can't know. */
    public long timestampHash() {
        return timestampHash;
    }
}
