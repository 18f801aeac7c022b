package io.rivulet.broker.coordinator;

/** Runs an action once, when all expected completions have come. Owned by: the coordinator thread. */
public final class Countdown {
    private final Runnable action;
    private int left = 1;

    public Countdown(Runnable action) {
        this.action = action;
    }

    public void expectOne() {
        left++;
    }

    public void oneDone() {
        if (--left == 0) {
            action.run();
        }
    }

    /** No more completions will be expected. */
    public void allExpected() {
        oneDone();
    }
}
