package io.rivulet.broker.coordinator;

/** Runs an action once, when everything that it waits for is done. Owned by: the thread that owns the groups. */
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

    /** Nothing more will be expected. */
    public void allExpected() {
        oneDone();
    }
}
