package io.rivulet.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A walk over committed offsets, in slices. */
final class OffsetWalkTest {
    private static final Uuid TOPIC = new Uuid(1, 2);

    private final GroupTable table = new InPlace().table;
    private final List<String> seen = new ArrayList<>();
    private int most = Integer.MAX_VALUE;

    private final class Visitor implements OffsetWalk.Visitor<List<String>> {
        private String group = "";

        @Override
        public boolean group(String id, int members) {
            group = id;
            seen.add(id + ":" + members);
            return !id.startsWith("skipped");
        }

        @Override
        public void offset(Uuid topic, int partition, long offset) {
            assertThat(topic).isEqualTo(TOPIC);
            assertThat(offset).isEqualTo(10L * partition);
            seen.add(group + "/" + partition);
        }

        @Override
        public boolean goesOn() {
            return seen.size() < most;
        }

        @Override
        public List<String> result() {
            return seen;
        }
    }

    private void commit(String group, int partitions) {
        GroupSlot slot = table.findOrAdd(group);
        for (int partition = 0; partition < partitions; partition++) {
            slot.offsets.put(TOPIC, partition, 10L * partition, 0, null, 0);
        }
    }

    private OffsetWalk<List<String>> walk() {
        return new OffsetWalk<>(table, null, new Visitor());
    }

    @Test
    void eachOffsetIsMetOnceAndBehindItsGroup() {
        commit("small", 3);
        commit("large", 4321);
        commit("empty", 0);

        assertThat(LongQuestions.complete(walk())).hasSize(3 + 4324).doesNotHaveDuplicates();
        assertThat(seen.subList(seen.indexOf("large:0"), seen.indexOf("large:0") + 4322))
                .allMatch(each -> each.startsWith("large"));
    }

    @Test
    void aSliceIsShort() {
        commit("large", 4321);
        OffsetWalk<List<String>> walk = walk();

        int slices = 0;
        int before = 0;
        while (walk.goOn()) {
            slices++;
            assertThat(seen.size() - before).isLessThanOrEqualTo(1001);
            before = seen.size();
        }

        assertThat(slices).isEqualTo(4);
        assertThat(new OffsetWalk<>(table, null, new Visitor()).parts()).isGreaterThan(4000);
    }

    @Test
    void aGroupThatIsDeletedMeanwhileEnds() {
        commit("large", 4321);
        OffsetWalk<List<String>> walk = walk();
        assertThat(walk.goOn()).isTrue();
        GroupSlot slot = table.findOrAdd("large");
        slot.offsets.clear();
        table.removeIfUnused(slot);

        assertThat(walk.goOn()).isFalse();
        assertThat(seen).hasSizeBetween(1000, 1001);
    }

    @Test
    void offsetsThatAreNotWantedAreSkippedAndAVisitorMayEndTheWalk() {
        commit("skipped-1", 5000);
        commit("skipped-2", 10);
        assertThat(LongQuestions.complete(walk())).containsExactlyInAnyOrder("skipped-1:0", "skipped-2:0");

        seen.clear();
        commit("large", 5000);
        most = 1200;
        assertThat(LongQuestions.complete(walk())).hasSizeLessThan(2500);
    }

    @Test
    void onlyTheNamedGroupsAreMet() {
        commit("a", 1);
        commit("b", 1);

        assertThat(LongQuestions.complete(new OffsetWalk<>(table, List.of("b", "gone"), new Visitor())))
                .containsExactly("b:0", "b/0");
    }
}
