package io.rivulet.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class MemoryTest {
    private static final int PAGE = 1024;
    private static final int SLAB = 8 * PAGE;

    @Test
    void aBudgetThatExceedsItsLimitNamesItsTerms() {
        assertThatThrownBy(() -> new MemoryBudget(1000)
                        .term("tail", 800)
                        .term("cache", 300)
                        .requireWithinLimit())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1100 bytes = tail 800 + cache 300")
                .hasMessageContaining("limit is 1000");
    }

    @Test
    void aBudgetAtItsLimitIsFine() {
        new MemoryBudget(1000).term("tail", 1000).requireWithinLimit();
    }

    @Test
    void slabsAreAllocatedOneByOneUpToTheirNumber() {
        Slabs slabs = new Slabs("test", 2L * SLAB + 5, SLAB);
        assertThat(slabs.slab(0)).isNull();
        assertThat(slabs.grow()).isTrue();
        assertThat(slabs.grow()).isTrue();
        assertThat(slabs.grow()).isFalse();
        assertThat(slabs.slab(1)).isNotNull();
        assertThat(slabs.slab(2)).isNull();
        assertThat(slabs.slab(-1)).isNull();
    }

    @Test
    void aSlabThatWasPreparedIsTakenAndCountsOnlyThen() {
        Slabs slabs = new Slabs("test", 2L * SLAB, SLAB);
        assertThat(slabs.lacks(1)).isTrue();
        assertThat(slabs.prepare()).isTrue();
        assertThat(slabs.prepare()).isTrue();
        assertThat(slabs.lacks(1)).isFalse();
        assertThat(slabs.count()).isZero();
        assertThat(slabs.slab(0)).isNull();
        assertThat(slabs.grow()).isTrue();
        assertThat(slabs.lacks(1)).isTrue();
        assertThat(slabs.grow()).isTrue();
        assertThat(slabs.lacks(1)).isFalse();
        assertThat(slabs.prepare()).isFalse();
        assertThat(slabs.grow()).isFalse();
        assertThat(slabs.count()).isEqualTo(2);
    }

    @Test
    void slabsAreAllocatedAheadUpToTheRequestedNumber() {
        Slabs slabs = new Slabs("test", 5L * SLAB, SLAB);
        assertThat(slabs.lacks(3)).isTrue();
        while (slabs.prepareAhead(3)) {
            assertThat(slabs.count()).isZero();
        }
        assertThat(slabs.lacks(3)).isFalse();
        assertThat(slabs.grow()).isTrue();
        assertThat(slabs.lacks(3)).isTrue();
        assertThat(slabs.lacks(2)).isFalse();
        assertThat(slabs.prepareAhead(2)).isFalse();
        assertThat(slabs.prepareAhead(4)).isTrue();
        assertThat(slabs.prepareAhead(4)).isTrue();
        assertThat(slabs.prepareAhead(4)).isFalse();
        assertThat(slabs.lacks(5)).isFalse();
        for (int taken = 1; taken < 5; taken++) {
            assertThat(slabs.grow()).isTrue();
        }
        assertThat(slabs.grow()).isFalse();
        assertThat(slabs.slab(4)).isNotNull();
    }

    @Test
    void aPageReleasedTwiceOrByAnotherThrows() {
        PagePool pool = new PagePool("test", SLAB, PAGE, SLAB);
        PageOwner one = pool.owner("one");
        PageOwner other = pool.owner("other");
        int page = one.acquire();

        assertThatThrownBy(() -> other.release(page)).isInstanceOf(IllegalStateException.class);
        one.release(page);
        assertThatThrownBy(() -> one.release(page)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> one.release(-1)).isInstanceOf(IllegalStateException.class);
        assertThatCode(pool::requireBalanced).doesNotThrowAnyException();
    }

    @Test
    void nothingIsAllocatedBeforeItIsNeeded() {
        PagePool pool = new PagePool("test", 4L * SLAB, PAGE, SLAB);
        PageOwner owner = pool.owner("one");
        assertThatThrownBy(() -> pool.page(0)).hasMessageContaining("was never acquired");
        int first = owner.acquire();
        owner.release(first);
        assertThat(owner.acquire()).isEqualTo(first);
    }

    @Property(tries = 100)
    void pagesAreHeldOnceAndBalanced(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PagePool pool = new PagePool("test", 3L * SLAB, PAGE, SLAB);
        List<PageOwner> owners = List.of(pool.owner("a"), pool.owner("b"));
        List<List<Integer>> held = List.of(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < 300; i++) {
            int who = random.nextInt(2);
            List<Integer> mine = held.get(who);
            if (random.nextInt(5) < 3) {
                int page = owners.get(who).acquire();
                boolean full = held.get(0).size() + held.get(1).size() == pool.capacityPages();
                assertThat(page == PagePool.NONE).isEqualTo(full);
                if (page != PagePool.NONE) {
                    pool.page(page).putInt(0, who).putInt(PAGE - 4, page);
                    mine.add(page);
                }
            } else if (!mine.isEmpty()) {
                int page = mine.remove(random.nextInt(mine.size()));
                assertThat(pool.page(page).getInt(0)).isEqualTo(who);
                assertThat(pool.page(page).getInt(PAGE - 4)).isEqualTo(page);
                owners.get(who).release(page);
            }
            assertThat(owners.get(who).held()).isEqualTo(mine.size());
        }
        pool.requireBalanced();
    }
}
