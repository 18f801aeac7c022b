package io.rivulet.broker.sasl;

import io.rivulet.broker.coordinator.SnapshotEntries;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.limit.Admission;
import io.rivulet.store.Store;
import io.rivulet.store.View;
import java.io.DataInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The users that log in with SCRAM: those of the configuration, and a view of the log, made from entries in {@link
 * ScramEntryLayout}. The log never has a password, and never a user of the configuration.
 *
 * <p>The log writer changes it. Any thread reads it and sees a change as soon as its entry is durable.
 */
public final class ScramUsers implements View {
    public static final int VIEW_ID = 9;

    public static final int MAX_NAME_CHARS = 1024;
    public static final int MAX_SALT_BYTES = 1024;

    /** Of heap: about 20,000 users. */
    private static final long MAX_BYTES = 8 << 20;

    private static final int BYTES_PER_CREDENTIAL = 320;
    /** As long as Kafka's salts. */
    private static final int SALT_BITS = 130;

    private final Map<String, Map<Scram, ScramCredential>> users = new ConcurrentHashMap<>();
    /** Filled before the first connection. */
    private final Map<String, Map<Scram, ScramCredential>> configured = new ConcurrentHashMap<>();

    private final Admission room = new Admission(MAX_BYTES, this::bytes);
    private final byte[] secret = randomBytes(32);
    private volatile long bytes;

    // ---- any thread ----

    /** Null if there is no such user. */
    @Nullable
    ScramCredential find(String user, Scram scram) {
        return of(user).get(scram);
    }

    /** What the user has for each hash function; empty if there is no such user. */
    public Map<Scram, ScramCredential> of(String user) {
        Map<Scram, ScramCredential> fixed = configured.get(user);
        return fixed == null ? users.getOrDefault(user, Map.of()) : fixed;
    }

    /** The names of all users, in order. */
    public SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>(users.keySet());
        names.addAll(configured.keySet());
        return names;
    }

    /** Whether the configuration has the user, so that no client can change it. */
    public boolean isConfigured(String user) {
        return configured.containsKey(user);
    }

    /** For a user that does not exist: always the same salt, and keys that no password leads to. */
    ScramCredential decoy(String user, Scram scram) {
        byte[] name = user.getBytes(StandardCharsets.UTF_8);
        byte[] salt = salt(scram.hmac(secret, name));
        byte[] key = scram.hmac(secret, salt);
        return new ScramCredential(salt, key, key, Scram.MIN_ITERATIONS);
    }

    /** Adds a user of the configuration. Takes milliseconds. */
    void configure(String user, String password) {
        Map<Scram, ScramCredential> made = new EnumMap<>(Scram.class);
        for (Scram scram : Scram.values()) {
            made.put(scram, credential(scram, password));
        }
        configured.put(user, made);
    }

    /** With a salt of its own. Takes a millisecond or more. */
    private static ScramCredential credential(Scram scram, String password) {
        byte[] salt = newSalt();
        byte[] salted = scram.saltedPassword(password, salt, Scram.MIN_ITERATIONS);
        return scram.credential(salted, salt, Scram.MIN_ITERATIONS);
    }

    static byte[] newSalt() {
        return salt(randomBytes(32));
    }

    private static byte[] salt(byte[] random) {
        return Scram.ascii(new BigInteger(1, random)
                .mod(BigInteger.ONE.shiftLeft(SALT_BITS))
                .toString(36));
    }

    private static byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    private long bytes() {
        return bytes;
    }

    /**
     * Completes when the change is durable and in effect.
     *
     * @param credential null to remove it
     * @throws RefusedException if there is no room for it
     */
    public CompletionStage<Integer> change(
            Store store, String user, Scram scram, @Nullable ScramCredential credential) {
        long reserved = credential == null ? 0 : bytes(user, credential);
        if (!room.reserve(reserved)) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION, "users of SCRAM may take " + MAX_BYTES + " bytes of memory");
        }
        return store.appendState(VIEW_ID, ScramEntryLayout.entry(user, scram, credential))
                .whenComplete((written, failure) -> room.release(reserved));
    }

    private static long bytes(String user, ScramCredential credential) {
        return BYTES_PER_CREDENTIAL + 2L * user.length() + credential.salt().length;
    }

    // ---- log-writer thread ----

    @Override
    public int id() {
        return VIEW_ID;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void apply(long groupTimestamp, ByteBuffer entry) {
        Scram scram = ScramEntryLayout.takeScram(entry);
        String user = ScramEntryLayout.takeUser(entry);
        ScramCredential credential = ScramEntryLayout.takeCredential(entry);
        Map<Scram, ScramCredential> before = users.getOrDefault(user, Map.of());
        Map<Scram, ScramCredential> after = new EnumMap<>(Scram.class);
        after.putAll(before);
        ScramCredential replaced = credential == null ? after.remove(scram) : after.put(scram, credential);
        if (after.isEmpty()) {
            users.remove(user);
        } else {
            users.put(user, after);
        }
        bytes += (credential == null ? 0 : bytes(user, credential)) - (replaced == null ? 0 : bytes(user, replaced));
    }

    @Override
    public Snapshot snapshot() {
        List<ByteBuffer> entries = new ArrayList<>();
        new TreeMap<>(users)
                .forEach((user, kept) -> Arrays.stream(Scram.values())
                        .filter(kept::containsKey)
                        .forEach(scram -> entries.add(ScramEntryLayout.entry(user, scram, kept.get(scram)))));
        return out -> {
            SnapshotEntries.write(entries.stream().map(ByteBuffer::duplicate).toList(), out);
            SnapshotEntries.writeEnd(out);
        };
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        DataInputStream entries = SnapshotEntries.reader(in);
        SnapshotEntries.read(entries, entry -> apply(0, entry));
    }
}
