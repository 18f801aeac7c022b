package io.rivulet.broker.limit;

/** Names that a client may choose: they have one {@link String#hashCode()}. */
public final class NamesWithOneHash {
    private NamesWithOneHash() {}

    /**
     * The sum of each pair of letters is the same.
     *
     * @param pairs of letters; there are two to the power of it such names
     */
    public static String name(int number, int pairs) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < pairs; i++) {
            name.append((number >> i & 1) == 0 ? "Aa" : "BB");
        }
        return name.toString();
    }
}
