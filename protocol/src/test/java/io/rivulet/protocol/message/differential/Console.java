package io.rivulet.protocol.message.differential;

/** Prints counts and seeds of tests that pass. */
public final class Console {
    private Console() {}

    @SuppressWarnings("checkstyle:RegexpSinglelineJava")
    public static void print(String line) {
        System.out.println(line);
    }
}
