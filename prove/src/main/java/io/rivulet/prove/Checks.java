package io.rivulet.prove;

import io.rivulet.prove.damage.DamageCheck;
import java.util.List;

/** All checks, in the order of the table. */
final class Checks {
    private Checks() {}

    static List<Check> all() {
        return List.of(new DamageCheck());
    }
}
