package io.rivulet.it.pages;

/** A page that does not say what is so: its form, a command or an output is wrong. */
final class PageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PageException(int line, String what) {
        super("line " + line + ": " + what);
    }
}
