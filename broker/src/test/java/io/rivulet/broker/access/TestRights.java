package io.rivulet.broker.access;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a client of a test may do: what was allowed to it, and nothing else. Thread-safe. */
public final class TestRights implements Access {
    /** The name of every resource. */
    public static final String ANY = "*";

    private record Right(Operation operation, ResourceType type, String name) {}

    private final Set<Right> rights = new HashSet<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    public TestRights allow(Operation operation, ResourceType type, String... names) {
        synchronized (rights) {
            for (String name : names) {
                rights.add(new Right(operation, type, name));
            }
        }
        return this;
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
        asked.add(operation + " " + type + " " + name);
        synchronized (rights) {
            return rights.contains(new Right(operation, type, name))
                    || rights.contains(new Right(operation, type, ANY));
        }
    }

    @Override
    public boolean mayWithAny(Operation operation, ResourceType type) {
        asked.add(operation + " any " + type);
        synchronized (rights) {
            return rights.stream().anyMatch(right -> right.operation == operation && right.type == type);
        }
    }
}
