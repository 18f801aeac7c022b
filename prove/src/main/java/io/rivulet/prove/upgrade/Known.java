package io.rivulet.prove.upgrade;

import io.rivulet.prove.damage.Picture;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Compares what two versions say: a later one may say more of the same thing. Stateless. */
final class Known {
    private static final String CONFIG = "config of ";
    /** Configs that nobody has set: their defaults may change, and there are new ones. */
    private static final Set<String> NOT_SET = Set.of(" from 4", " from 5");

    private static final String SEPARATORS = "[ ,()\\[\\]{}]+";

    private Known() {}

    /** What is different from the truth. */
    static List<String> wrong(Picture served, Picture truth) {
        Picture same = new Picture(served.records(), new TreeSet<>(served.state()), served.failed(), served.unusable());
        same.state().removeIf(line -> isNotSet(line));
        Picture wanted = new Picture(truth.records(), new TreeSet<>(truth.state()), truth.failed(), truth.unusable());
        wanted.state().removeIf(line -> isNotSet(line));
        for (String line : wanted.state()) {
            if (!same.state().contains(line)) {
                Optional<String> more = same.state().stream()
                        .filter(there -> !wanted.state().contains(there) && saysAll(there, line))
                        .findFirst();
                more.ifPresent(there -> {
                    same.state().remove(there);
                    same.state().add(line);
                });
            }
        }
        return same.silentlyWrong(wanted);
    }

    private static boolean isNotSet(String line) {
        return line.startsWith(CONFIG) && NOT_SET.stream().anyMatch(line::endsWith);
    }

    /** Whether the words of the one are in the other, in their order. */
    static boolean saysAll(String line, String known) {
        Iterator<String> words = Arrays.asList(known.split(SEPARATORS, -1)).iterator();
        String word = words.next();
        for (String there : line.split(SEPARATORS, -1)) {
            if (there.equals(word)) {
                if (!words.hasNext()) {
                    return true;
                }
                word = words.next();
            }
        }
        return false;
    }
}
