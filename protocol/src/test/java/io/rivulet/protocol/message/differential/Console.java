package io.rivulet.protocol.message.differential;

/** What a reader of the build's output should see of a test that passes: counts and seeds. */
public final class Console {
    private Console() {}

    @SuppressWarnings("checkstyle:RegexpSinglelineJava")
    public static void print(String line) {
        System.out.println(line);
    }
}
