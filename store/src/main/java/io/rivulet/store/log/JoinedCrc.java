package io.rivulet.store.log;

/**
 * The CRC-32C of two byte sequences in a row, from the CRC of each. It reads no bytes, so it takes a microsecond at
 * most.
 *
 * <p>A CRC is a polynomial over GF(2) modulo the one of CRC-32C, with the coefficient of x^0 in the highest bit. Bytes
 * that follow multiply it by x^8 each.
 */
final class JoinedCrc {
    private static final int POLYNOMIAL = 0x82F63B78;
    private static final int X_TO_0 = 1 << 31;
    private static final int X_TO_8 = X_TO_0 >>> 8;
    /** x^8, x^16, x^32, ...: for each bit of a length in bytes. */
    private static final int[] SQUARES = squares();

    private JoinedCrc() {}

    static int join(int first, int second, int secondBytes) {
        int shifted = first;
        for (int bit = 0; secondBytes >>> bit != 0; bit++) {
            if (((secondBytes >>> bit) & 1) != 0) {
                shifted = product(shifted, SQUARES[bit]);
            }
        }
        return shifted ^ second;
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
