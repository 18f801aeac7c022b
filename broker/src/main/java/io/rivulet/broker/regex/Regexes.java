package io.rivulet.broker.regex;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;

/**
 * Compiles regular expressions in the syntax of RE2, within the bounds of {@link RegexBounds}: matching takes time
 * linear in the text and in the size of the program, whatever a client sends. Stateless.
 */
public final class Regexes {
    /** The message of a refusal repeats at most so much of the expression. */
    private static final int QUOTED_CHARS = 200;

    private Regexes() {}

    /**
     * @param field the name of the request's field
     * @throws RefusedException if it is not a valid regular expression, or costs too much
     */
    public static Pattern compile(String field, String regex) {
        String excess = RegexBounds.excess(regex);
        if (excess != null) {
            throw refused(field, regex, excess);
        }
        try {
            return Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw refused(field, regex, e.getDescription());
        } catch (StackOverflowError e) {
            // No shared state is affected. The bounds should prevent this.
            throw refused(field, regex, "it is nested too deeply");
        }
    }

    private static RefusedException refused(String field, String regex, String reason) {
        String quoted = regex.length() <= QUOTED_CHARS ? regex : regex.substring(0, QUOTED_CHARS) + "...";
        return new RefusedException(
                ErrorCode.INVALID_REGULAR_EXPRESSION,
                field + " `" + quoted + "` is not a valid regular expression: " + reason + ".");
    }
}
