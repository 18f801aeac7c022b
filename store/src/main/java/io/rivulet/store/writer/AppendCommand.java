package io.rivulet.store.writer;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Outcome;

/**
 * An {@link AppendRequest} on its way through the log. Counts how many of its parts are appended, and how many are
 * settled.
 *
 * <p>Owned by: log-writer thread.
 */
public final class AppendCommand extends Command {
    private final AppendRequest request;
    private int appended;
    private int settled;

    public AppendCommand(AppendRequest request) {
        this.request = request;
    }

    @Override
    long heldBytes() {
        return request.heldBytes();
    }

    @Override
    int appendedParts() {
        return appended;
    }

    @Override
    boolean appendTo(GroupAssembly assembly) {
        if (request.isAtomic()) {
            if (!assembly.appendAll(request)) {
                return false;
            }
            appended = request.count();
        }
        while (appended < request.count()) {
            if (!assembly.append(request, appended)) {
                return false;
            }
            appended++;
        }
        return true;
    }

    @Override
    boolean endsWhenWritten() {
        return request.waitsFor() == Wait.WRITTEN;
    }

    @Override
    void written(int from, int to) {
        settle(from, to, Outcome.WRITTEN);
    }

    /** If the group fails, a verdict of the gate is not valid: the batch that it compared with may be in that group. */
    @Override
    void settle(int from, int to, Outcome outcome) {
        for (int i = from; i < to; i++) {
            Outcome before = request.outcome(i);
            if (before == Outcome.PENDING || (before.isVerdict() && !outcome.isStored())) {
                request.outcome(i, outcome);
            }
        }
        settled += to - from;
        if (settled == request.count()) {
            request.complete();
        }
    }

    @Override
    void settleFrom(int from, Outcome outcome) {
        appended = request.count();
        settle(from, appended, outcome);
    }
}
