package io.rivulet.protocol.wire;

/** Empty arrays, the initial values of fields. Immutable. */
public final class Empty {
    public static final byte[] BYTES = new byte[0];
    public static final short[] SHORTS = new short[0];
    public static final int[] INTS = new int[0];
    public static final long[] LONGS = new long[0];

    private Empty() {}
}
