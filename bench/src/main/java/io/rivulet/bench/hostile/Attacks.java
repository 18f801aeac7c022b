package io.rivulet.bench.hostile;

import java.util.ArrayList;
import java.util.List;

/** All attacks. Stateless. */
final class Attacks {
    private Attacks() {}

    static List<Attack> all() {
        List<Attack> all = new ArrayList<>();
        all.addAll(GroupAttacks.all());
        all.addAll(TopicAttacks.all());
        all.addAll(ProduceAttacks.all());
        all.addAll(SocketAttacks.all());
        return all;
    }
}
