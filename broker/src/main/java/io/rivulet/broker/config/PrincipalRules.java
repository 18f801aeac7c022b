package io.rivulet.broker.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * The rules of {@code ssl.principal.mapping.rules}: they make the name of a user from the subject of a certificate. The
 * first rule whose expression matches the whole subject applies.
 *
 * <p>The expressions are Java's, as in Kafka. A client has chosen the subject of its certificate, so the length of a
 * subject and the steps of a match are bounded. Immutable.
 */
public final class PrincipalRules {
    static final String DEFAULT = "DEFAULT";
    static final int MAX_CHARS = 2048;
    static final int MAX_STEPS = 200_000;

    private static final String RULE = "RULE:";
    private static final String ALLOWED = "a list of DEFAULT and RULE:expression/replacement/, with L or U behind it";

    private static final Pattern REFERENCE = Pattern.compile("\\$\\d+");

    private final List<Rule> rules;

    /**
     * @param expression null for the rule DEFAULT
     * @param letters L for small letters, U for capitals, otherwise a blank
     */
    private record Rule(@Nullable Pattern expression, String replacement, char letters) {
        /** Null if the expression does not match the whole subject. */
        @Nullable
        String apply(String subject, Steps steps) {
            if (expression == null) {
                return subject;
            }
            Matcher matcher = expression.matcher(steps);
            if (!matcher.matches()) {
                return null;
            }
            String name = matcher.replaceAll(withoutStrangers(replacement, matcher.groupCount()));
            return switch (letters) {
                case 'L' -> name.toLowerCase(Locale.ENGLISH);
                case 'U' -> name.toUpperCase(Locale.ENGLISH);
                default -> name;
            };
        }

        /** A reference to a group that is not there stands for itself. Kafka does so for the first of them only. */
        private static String withoutStrangers(String replacement, int groups) {
            StringBuilder known = new StringBuilder(replacement);
            Matcher reference = REFERENCE.matcher(replacement);
            while (groups > 0 && reference.find()) {
                if (replacement.charAt(reference.start() + 1) - '0' > groups) {
                    known.insert(reference.start(), '\\');
                }
            }
            return known.toString();
        }
    }

    private PrincipalRules(List<Rule> rules) {
        this.rules = rules;
    }

    /** @throws ConfigException if the value of the key is no list of rules */
    static PrincipalRules parse(String key, String value) {
        try {
            return new PrincipalRules(new Parser(value).rules());
        } catch (PatternSyntaxException e) {
            throw new ConfigException(key, value, ALLOWED + "; " + e.getDescription() + " in " + e.getPattern());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(key, value, ALLOWED);
        }
    }

    /**
     * The name of the user. Null if no rule applies, or if it costs too much to say.
     *
     * @param subject as RFC 2253 writes it
     */
    public @Nullable String nameOf(String subject) {
        if (subject.length() > MAX_CHARS) {
            return null;
        }
        Steps steps = new Steps(subject);
        try {
            for (Rule rule : rules) {
                String name = rule.apply(subject, steps);
                if (name != null) {
                    return name;
                }
            }
            return null;
        } catch (TooManySteps | IndexOutOfBoundsException | IllegalArgumentException | StackOverflowError e) {
            return null; // the replacement names a group that is not there, or matching takes too long or too much
        }
    }

    // ---- the bound ----

    private static final class TooManySteps extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooManySteps() {
            super(null, null, false, false);
        }
    }

    /** A text that counts how often a character is read: a matcher that goes back reads them again. */
    private static final class Steps implements CharSequence {
        private final String text;
        private int left = MAX_STEPS;

        Steps(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw new TooManySteps();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    // ---- the text of the rules ----

    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text.strip();
        }

        /** Empty rules are left out, as in Kafka. */
        List<Rule> rules() {
            List<Rule> rules = new ArrayList<>();
            while (at < text.length()) {
                if (take(DEFAULT)) {
                    rules.add(new Rule(null, "", ' '));
                } else if (take(RULE)) {
                    Pattern expression = Pattern.compile(untilSlash());
                    rules.add(new Rule(expression, untilSlash(), take("L") ? 'L' : take("U") ? 'U' : ' '));
                }
                separator();
            }
            return List.copyOf(rules);
        }

        private boolean take(String word) {
            boolean isNext = text.startsWith(word, at);
            at += isNext ? word.length() : 0;
            return isNext;
        }

        /** Takes what is before the next slash without a backslash, and the slash. */
        private String untilSlash() {
            int from = at;
            while (at < text.length() && text.charAt(at) != '/') {
                at += text.charAt(at) == '\\' ? 2 : 1;
            }
            if (at >= text.length()) {
                throw new IllegalArgumentException(text);
            }
            return text.substring(from, at++);
        }

        private void separator() {
            blanks();
            if (at < text.length() && !take(",")) {
                throw new IllegalArgumentException(text);
            }
            blanks();
        }

        private void blanks() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }
    }
}
