package io.rivulet.protocol.message.differential;

import java.io.PrintStream;

/** Prints counts and seeds of tests that pass. */
public final class Console {
    private static final PrintStream OUT = System.out;

    private Console() {}

    public static void print(String line) {
        OUT.println(line);
    }
}
