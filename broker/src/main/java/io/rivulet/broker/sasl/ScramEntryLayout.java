package io.rivulet.broker.sasl;

import io.rivulet.broker.coordinator.EntryText;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The log entry of {@link ScramUsers}. Numbers are big-endian. A text is its length in two bytes and UTF-8; bytes have
 * their length in two bytes before them.
 *
 * <pre>
 * | version 1, one byte | hash function 1 | name text | iterations 4 | salt | stored key | server key |
 * </pre>
 *
 * <p>With 0 iterations the entry ends there, and removes what the user has for this hash function.
 *
 * <p>Crash policy: durable and checksummed with its group. To apply the entries of a time again, in their order,
 * changes nothing.
 */
final class ScramEntryLayout {
    private static final byte VERSION = 1;
    private static final int FIXED_BYTES = 2 + Integer.BYTES + 3 * Short.BYTES;

    private ScramEntryLayout() {}

    /** @param credential null to remove it */
    static ByteBuffer entry(String user, Scram scram, @Nullable ScramCredential credential) {
        int bytes = FIXED_BYTES + EntryText.maxBytes(user);
        if (credential != null) {
            bytes += credential.salt().length + credential.storedKey().length + credential.serverKey().length;
        }
        ByteBuffer entry = ByteBuffer.allocate(bytes).put(VERSION).put(scram.code());
        EntryText.put(entry, user);
        if (credential == null) {
            entry.putInt(0);
        } else {
            entry.putInt(credential.iterations());
            put(entry, credential.salt());
            put(entry, credential.storedKey());
            put(entry, credential.serverKey());
        }
        return entry.flip();
    }

    private static void put(ByteBuffer entry, byte[] bytes) {
        entry.putShort((short) bytes.length).put(bytes);
    }

    static Scram takeScram(ByteBuffer entry) {
        byte version = entry.get();
        if (version != VERSION) {
            throw new IllegalStateException("an entry of users has the unknown version " + version);
        }
        byte code = entry.get();
        Scram scram = Scram.ofCode(code);
        if (scram == null) {
            throw new IllegalStateException("an entry of users has the unknown hash function " + code);
        }
        return scram;
    }

    static String takeUser(ByteBuffer entry) {
        return EntryText.take(entry);
    }

    /** Null if the entry removes it. */
    static @Nullable ScramCredential takeCredential(ByteBuffer entry) {
        int iterations = entry.getInt();
        if (iterations == 0) {
            return null;
        }
        byte[] salt = take(entry);
        byte[] storedKey = take(entry);
        return new ScramCredential(salt, storedKey, take(entry), iterations);
    }

    private static byte[] take(ByteBuffer entry) {
        byte[] bytes = new byte[entry.getShort()];
        entry.get(bytes);
        return bytes;
    }
}
