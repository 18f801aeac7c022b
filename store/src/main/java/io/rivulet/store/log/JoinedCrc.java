package io.rivulet.store.log;

/**
 * The CRC-32C of byte sequences in a row, from the CRC of each. It reads no bytes, so it takes a microsecond at most for
 * each of them.
 *
 * <p>A CRC is a polynomial over GF(2) modulo the one of CRC-32C, with the coefficient of x^0 in the highest bit. Bytes
 * that follow multiply it by x^8 each. Owned by one thread.
 */
final class JoinedCrc {
    private static final int POLYNOMIAL = 0x82F63B78;
    private static final int X_TO_0 = 1 << 31;
    private static final int X_TO_8 = X_TO_0 >>> 8;
    /** x^8, x^16, x^32, ...: for each bit of a length in bytes. */
    private static final int[] SQUARES = squares();

    /** Heads of entries, which are shorter, lie between two batches of one length. */
    private static final int LEAST_KEPT_BYTES = 1 << 10;

    private int value;
    /** The last length, and the power of x for it: producers send batches of equal lengths. */
    private int lastBytes;

    private int lastPower = X_TO_0;

    /** Adds the CRC of the bytes that follow. */
    void add(int crc, int bytes) {
        if (bytes == 0) {
            return;
        }
        if (bytes != lastBytes && bytes >= LEAST_KEPT_BYTES) {
            lastPower = power(bytes);
            lastBytes = bytes;
        }
        value = product(value, bytes == lastBytes ? lastPower : power(bytes)) ^ crc;
    }

    int value() {
        return value;
    }

    void clear() {
        value = 0;
    }

    static int join(int first, int second, int secondBytes) {
        return product(first, power(secondBytes)) ^ second;
    }

    /** The power of x by which so many bytes multiply what is before them. */
    private static int power(int bytes) {
        int power = X_TO_0;
        for (int bit = 0; bytes >>> bit != 0; bit++) {
            if (((bytes >>> bit) & 1) != 0) {
                power = power == X_TO_0 ? SQUARES[bit] : product(power, SQUARES[bit]);
            }
        }
        return power;
    }

    private static int[] squares() {
        int[] squares = new int[Integer.SIZE - 1];
        int square = X_TO_8;
        for (int i = 0; i < squares.length; i++) {
            squares[i] = square;
            square = product(square, square);
        }
        return squares;
    }

    private static int product(int a, int b) {
        int sum = 0;
        int shiftedB = b;
        for (int bit = Integer.SIZE - 1; bit >= 0; bit--) {
            sum ^= shiftedB & -((a >>> bit) & 1);
            shiftedB = (shiftedB >>> 1) ^ (POLYNOMIAL & -(shiftedB & 1));
        }
        return sum;
    }
}
