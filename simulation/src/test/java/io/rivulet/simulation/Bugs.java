package io.rivulet.simulation;

import io.rivulet.store.BatchGate;
import io.rivulet.store.GateVerdict;
import io.rivulet.store.Store;
import io.rivulet.store.View;
import io.rivulet.store.io.Disk;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.simulation.ForwardingGate;
import io.rivulet.store.simulation.LyingDisk;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Bugs that a broker could have, made at its seams. Stateless. */
final class Bugs {
    private static final int EVERY = 5;

    private Bugs() {}

    /** A checkpoint does not have the state of the view. */
    static Tampering forgetsAtACheckpoint(int viewId) {
        return view(viewId, view -> new ForwardingView(view) {
            @Override
            public void load(ReadableByteChannel in) {}
        });
    }

    /** A replay leaves out some entries of the view. */
    static Tampering losesEntriesInAReplay(int viewId) {
        return losesEntriesInAReplay(viewId, EVERY);
    }

    /** @param every which entries are left out */
    static Tampering losesEntriesInAReplay(int viewId, int every) {
        return new Tampering() {
            private boolean live;

            @Override
            public Attachments attachments(Attachments attachments) {
                live = false;
                return replaced(attachments, viewId, view -> new ForwardingView(view) {
                    private int applied;

                    @Override
                    public void apply(long groupTimestamp, ByteBuffer bytes) {
                        if (live || ++applied % every != 0) {
                            super.apply(groupTimestamp, bytes);
                        }
                    }
                });
            }

            @Override
            public Store store(Store store) {
                live = true;
                return store;
            }
        };
    }

    /** Clients are answered before the entry of the view is durable. */
    static Tampering answersBeforeTheEntry(int viewId) {
        return new Tampering() {
            @Override
            public Store store(Store store) {
                return new ForwardingStore(store) {
                    @Override
                    public CompletionStage<Integer> appendState(int toView, ByteBuffer bytes) {
                        int length = bytes.remaining();
                        CompletionStage<Integer> stored = super.appendState(toView, bytes);
                        return toView == viewId ? CompletableFuture.completedFuture(length) : stored;
                    }
                };
            }
        };
    }

    /** The gate admits every batch. */
    static Tampering admitsEveryBatch() {
        return gate(gate -> new ForwardingGate(gate) {
            @Override
            public void check(int queueId, ByteBuffer source, int at, int length, int flags, GateVerdict verdict) {
                verdict.admit();
            }
        });
    }

    /** A checkpoint does not have the state of the gate. */
    static Tampering gateForgetsAtACheckpoint() {
        return gate(gate -> new ForwardingGate(gate) {
            @Override
            public void load(ReadableByteChannel in) {}
        });
    }

    /** A replay does not show batches to the gate. */
    static Tampering gateSeesNoBatchInAReplay() {
        return new Tampering() {
            private boolean live;

            @Override
            public Attachments attachments(Attachments attachments) {
                live = false;
                BatchGate gate = java.util.Objects.requireNonNull(attachments.gate());
                return attachments.withGate(new ForwardingGate(gate) {
                    @Override
                    public void applied(
                            long groupTimestamp, int queueId, long baseOffset, ByteBuffer body, int at, int length) {
                        if (live) {
                            super.applied(groupTimestamp, queueId, baseOffset, body, at, length);
                        }
                    }
                });
            }

            @Override
            public Store store(Store store) {
                live = true;
                return store;
            }
        };
    }

    /** The log is written and not forced. */
    static Tampering doesNotForceTheLog() {
        return new Tampering() {
            @Override
            public Disk disk(Disk disk) {
                return new LyingDisk(disk, new LyingDisk.Lie() {
                    @Override
                    public boolean forces(String name) {
                        return !name.endsWith(".segment");
                    }
                });
            }
        };
    }

    /** Batches that are files of their own are written and not forced. */
    static Tampering doesNotForceHugeBatches() {
        return new Tampering() {
            @Override
            public Disk disk(Disk disk) {
                return new LyingDisk(disk, new LyingDisk.Lie() {
                    @Override
                    public boolean forces(String name) {
                        return !name.contains(".batch") && !name.contains(".unfinished");
                    }
                });
            }
        };
    }

    private static Tampering gate(UnaryOperator<BatchGate> bug) {
        return new Tampering() {
            @Override
            public Attachments attachments(Attachments attachments) {
                return attachments.withGate(bug.apply(java.util.Objects.requireNonNull(attachments.gate())));
            }
        };
    }

    private static Tampering view(int viewId, UnaryOperator<View> bug) {
        return new Tampering() {
            @Override
            public Attachments attachments(Attachments attachments) {
                return replaced(attachments, viewId, bug);
            }
        };
    }

    private static Attachments replaced(Attachments attachments, int viewId, UnaryOperator<View> bug) {
        return new Attachments(
                attachments.views().stream()
                        .map(view -> view.id() == viewId ? bug.apply(view) : view)
                        .toList(),
                attachments.gate(),
                attachments.listener(),
                attachments.format(),
                attachments.replay());
    }
}
