package io.rivulet.broker.sasl;

/** What the broker keeps of a password for SCRAM. Immutable by agreement. */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
public record ScramCredential(byte[] salt, byte[] storedKey, byte[] serverKey, int iterations) {
    /** Without secrets. */
    @Override
    public String toString() {
        return iterations + " iterations";
    }
}
