package io.rivulet.store.io;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The operations on a {@link CrashDisk}, in order, and what may be left of them. Guarded by itself; the users lock it.
 */
final class CrashTrace {
    /** How a cut treats unforced changes. */
    enum Mercy {
        RANDOM,
        NOTHING,
        ALL,
        NEWEST;

        boolean keeps(boolean newest, boolean byChance) {
            return switch (this) {
                case RANDOM -> byChance;
                case NOTHING -> false;
                case ALL -> true;
                case NEWEST -> newest;
            };
        }

        static Mercy pick(SplittableRandom random) {
            return switch (random.nextInt(12)) {
                case 0 -> NOTHING;
                case 1 -> ALL;
                case 2 -> NEWEST;
                default -> RANDOM;
            };
        }
    }

    private enum Kind {
        CREATE,
        RENAME,
        DELETE,
        SYNC
    }

    /** A change of a directory; {@code name} is the directory itself for a sync. */
    private record NameChange(int moment, Kind kind, String name, String newName, CrashInode inode) {
        boolean isIn(String directory) {
            return name.startsWith(directory) && name.indexOf('/', directory.length()) < 0;
        }
    }

    private static final CrashInode NONE = new CrashInode(new byte[0]);

    private final Map<String, CrashInode> initial;
    private final TreeMap<String, CrashInode> names;
    private final List<NameChange> nameChanges = new ArrayList<>();
    private int moments;

    CrashTrace() {
        this(Map.of());
    }

    private CrashTrace(Map<String, CrashInode> initial) {
        this.initial = initial;
        this.names = new TreeMap<>(initial);
    }

    int length() {
        return moments;
    }

    boolean exists(String name) {
        return names.containsKey(name);
    }

    Set<String> names() {
        return names.keySet();
    }

    CrashInode inode(String name) {
        CrashInode inode = names.get(name);
        if (inode == null) {
            throw new IllegalArgumentException("no file " + name);
        }
        return inode;
    }

    CrashInode create(String name) {
        CrashInode inode = new CrashInode(new byte[0]);
        change(new NameChange(moments++, Kind.CREATE, name, "", inode), names);
        return inode;
    }

    void rename(String from, String to) {
        change(new NameChange(moments++, Kind.RENAME, from, to, NONE), names);
    }

    void delete(String name) {
        change(new NameChange(moments++, Kind.DELETE, name, "", NONE), names);
    }

    private void change(NameChange change, Map<String, CrashInode> target) {
        nameChanges.add(change);
        apply(change, target);
    }

    private static void apply(NameChange change, Map<String, CrashInode> target) {
        switch (change.kind()) {
            case CREATE -> target.put(change.name(), change.inode());
            case DELETE -> target.remove(change.name());
            case RENAME -> {
                CrashInode moved = target.remove(change.name());
                if (moved != null) {
                    target.put(change.newName(), moved);
                }
            }
            default -> throw new IllegalArgumentException("a sync changes nothing");
        }
    }

    void sync(String directory) {
        nameChanges.add(new NameChange(moments++, Kind.SYNC, directory, "", NONE));
    }

    void write(CrashInode inode, int address, byte[] bytes) {
        inode.write(moments++, address, bytes);
    }

    void resize(CrashInode inode, int size) {
        inode.resize(moments++, size);
    }

    void force(CrashInode inode) {
        inode.force(moments++);
    }

    CrashTrace allThatWasDone() {
        Map<String, CrashInode> found = new HashMap<>();
        names.forEach((name, inode) -> found.put(name, new CrashInode(inode.content())));
        return new CrashTrace(found);
    }

    CrashTrace cutAt(int moment, SplittableRandom random) {
        Mercy mercy = Mercy.pick(random);
        Map<String, CrashInode> found = new HashMap<>();
        for (Map.Entry<String, CrashInode> entry :
                namesAfter(moment, random, mercy).entrySet()) {
            found.put(entry.getKey(), new CrashInode(entry.getValue().cutAt(moment, random, mercy)));
        }
        return new CrashTrace(found);
    }

    /** Sorted, so that a seed draws the same numbers for the same file each time. */
    private Map<String, CrashInode> namesAfter(int moment, SplittableRandom random, Mercy mercy) {
        TreeMap<String, CrashInode> found = new TreeMap<>(initial);
        List<NameChange> unsynced = new ArrayList<>();
        for (NameChange change : nameChanges) {
            if (change.moment() >= moment) {
                break;
            }
            if (change.kind() != Kind.SYNC) {
                unsynced.add(change);
                continue;
            }
            for (NameChange earlier : unsynced) {
                if (earlier.isIn(change.name())) {
                    apply(earlier, found);
                }
            }
            unsynced.removeIf(earlier -> earlier.isIn(change.name()));
        }
        keepSome(unsynced, found, random, mercy);
        return found;
    }

    /** Once a change is lost, later ones that touch one of its names are lost with it. */
    private static void keepSome(
            List<NameChange> unsynced, Map<String, CrashInode> found, SplittableRandom random, Mercy mercy) {
        List<String> lost = new ArrayList<>();
        for (NameChange change : unsynced) {
            boolean touchesLost = lost.contains(change.name()) || lost.contains(change.newName());
            if (!touchesLost && mercy.keeps(false, random.nextBoolean())) {
                apply(change, found);
            } else {
                lost.add(change.name());
                if (!change.newName().isEmpty()) {
                    lost.add(change.newName());
                }
            }
        }
    }
}
