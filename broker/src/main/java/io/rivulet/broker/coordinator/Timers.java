package io.rivulet.broker.coordinator;

import java.util.Arrays;

/**
 * Timers on a monotonic clock, in a binary heap. To postpone a timer, as each heartbeat does, costs nothing: it is
 * moved when its old time comes.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class Timers {
    /** One timer: created once, set as often as needed. */
    public final class Timer {
        private final Runnable action;
        private long dueNanos;
        /** The key in the heap: never later than {@link #dueNanos}. */
        private long keyNanos;

        private int index = OUT;

        private Timer(Runnable action) {
            this.action = action;
        }

        /** Replaces the time that was set before. */
        public void set(long newDueNanos) {
            dueNanos = newDueNanos;
            if (index == OUT) {
                keyNanos = newDueNanos;
                add(this);
            } else if (newDueNanos - keyNanos < 0) {
                keyNanos = newDueNanos;
                siftUp(index);
            }
        }

        public void cancel() {
            if (index != OUT) {
                remove(this);
            }
        }

        public boolean isSet() {
            return index != OUT;
        }
    }

    private static final int OUT = -1;

    private Timer[] heap = new Timer[16];
    private int size;

    public Timer timer(Runnable action) {
        return new Timer(action);
    }

    /** The number of timers that are set. */
    public int size() {
        return size;
    }

    /** The time until the next {@link #run} at the latest; {@link Long#MAX_VALUE} when no timer is set. */
    public long nanosToNext(long nowNanos) {
        return size == 0 ? Long.MAX_VALUE : Math.max(0, heap[0].keyNanos - nowNanos);
    }

    /** Runs the due timers. An action may set and cancel any timer. */
    public void run(long nowNanos) {
        while (size > 0 && heap[0].keyNanos - nowNanos <= 0) {
            Timer first = heap[0];
            if (first.dueNanos - nowNanos > 0) {
                first.keyNanos = first.dueNanos;
                siftDown(0);
            } else {
                remove(first);
                first.action.run();
            }
        }
    }

    // ---- the heap ----

    private void add(Timer timer) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        place(timer, size++);
        siftUp(timer.index);
    }

    private void remove(Timer timer) {
        int index = timer.index;
        Timer last = heap[--size];
        heap[size] = null;
        timer.index = OUT;
        if (last != timer) {
            place(last, index);
            siftUp(index);
            siftDown(last.index);
        }
    }

    private void place(Timer timer, int index) {
        heap[index] = timer;
        timer.index = index;
    }

    private void siftUp(int from) {
        Timer moving = heap[from];
        int index = from;
        while (index > 0 && moving.keyNanos - heap[(index - 1) / 2].keyNanos < 0) {
            place(heap[(index - 1) / 2], index);
            index = (index - 1) / 2;
        }
        place(moving, index);
    }

    private void siftDown(int from) {
        Timer moving = heap[from];
        int index = from;
        while (2 * index + 1 < size) {
            int child = 2 * index + 1;
            if (child + 1 < size && heap[child + 1].keyNanos - heap[child].keyNanos < 0) {
                child++;
            }
            if (heap[child].keyNanos - moving.keyNanos >= 0) {
                break;
            }
            place(heap[child], index);
            index = child;
        }
        place(moving, index);
    }
}
