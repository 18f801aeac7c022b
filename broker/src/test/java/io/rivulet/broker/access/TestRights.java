package io.rivulet.broker.access;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What a client of a test may do: what was allowed to it, and nothing else. Thread-safe. */
public final class TestRights implements Access {
    /** The name of every resource. */
    public static final String ANY = "*";

    private record Right(Operation operation, ResourceType type, String name) {}

    private final Set<Right> rights = new HashSet<>();
    private final AtomicLong version = new AtomicLong();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    public TestRights allow(Operation operation, ResourceType type, String... names) {
        synchronized (rights) {
            for (String name : names) {
                rights.add(new Right(operation, type, name));
            }
        }
        return this;
    }

    /** The rules have changed. */
    public void changed() {
        version.incrementAndGet();
    }

    @Override
    public long version() {
        return version.get();
    }

    public TestRights topic(Operation operation, String... names) {
        return allow(operation, ResourceType.TOPIC, names);
    }

    public TestRights group(Operation operation, String... names) {
        return allow(operation, ResourceType.GROUP, names);
    }

    public TestRights transaction(Operation operation, String... ids) {
        return allow(operation, ResourceType.TRANSACTIONAL_ID, ids);
    }

    public TestRights cluster(Operation operation) {
        return allow(operation, ResourceType.CLUSTER, CLUSTER_NAME);
    }

    public void deny(Operation operation, ResourceType type, String name) {
        synchronized (rights) {
            rights.remove(new Right(operation, type, name));
        }
    }

    /** The questions so far. */
    public List<String> asked() {
        return asked;
    }

    private void ask(String question) {
        synchronized (asked) {
            asked.add(question);
            asked.notifyAll();
        }
    }

    /** Returns when this has been asked. */
    public void awaitQuestion(String question) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        synchronized (asked) {
            while (!asked.contains(question)) {
                if (System.nanoTime() >= deadlineNanos) {
                    throw new AssertionError(question + " is not asked, but " + asked);
                }
                asked.wait(100);
            }
        }
    }

    @Override
    public Principal principal() {
        return Principal.user("test");
    }

    @Override
    public boolean isUnlimited() {
        return false;
    }

    @Override
    public boolean may(Operation operation, ResourceType type, String name) {
        ask(operation + " " + type + " " + name);
        synchronized (rights) {
            return rights.contains(new Right(operation, type, name))
                    || rights.contains(new Right(operation, type, ANY));
        }
    }

    @Override
    public boolean mayWithAny(Operation operation, ResourceType type) {
        ask(operation + " any " + type);
        synchronized (rights) {
            return rights.stream().anyMatch(right -> right.operation == operation && right.type == type);
        }
    }
}
