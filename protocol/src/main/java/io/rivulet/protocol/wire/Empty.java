package io.rivulet.protocol.wire;

/** The arrays that fields hold when they hold nothing. Immutable, for they have no elements. */
public final class Empty {
    public static final byte[] BYTES = new byte[0];
    public static final short[] SHORTS = new short[0];
    public static final int[] INTS = new int[0];
    public static final long[] LONGS = new long[0];

    private Empty() {}
}
