package io.rivulet.simulation;

import io.rivulet.store.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Forwards to another view; subclasses add bugs. */
class ForwardingView implements View {
    private final View view;

    ForwardingView(View view) {
        this.view = view;
    }

    @Override
    public int id() {
        return view.id();
    }

    @Override
    public void apply(long groupTimestamp, ByteBuffer bytes) {
        view.apply(groupTimestamp, bytes);
    }

    @Override
    public Snapshot snapshot() {
        return view.snapshot();
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        view.load(in);
    }
}
