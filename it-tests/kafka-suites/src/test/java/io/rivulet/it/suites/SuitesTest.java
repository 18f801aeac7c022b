package io.rivulet.it.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SuitesTest {
    private static final Suites SOME = Suites.parse(Stream.of(
            "# a remark",
            "== run tools",
            "a.FirstTest",
            "a.SecondTest",
            "== run streams",
            "b.ThirdTest",
            "== part ci",
            "a.SecondTest",
            "b.ThirdTest",
            "== left out several: needs two brokers",
            "c.FourthTest",
            "a.FirstTest#failsOver",
            "*#* protocol=streams"));

    @Test
    void selectsByGroupByPartByClassAndByShortName() {
        assertThat(SOME.select(List.of("tools"))).containsExactly("a.FirstTest", "a.SecondTest");
        assertThat(SOME.select(List.of("b.ThirdTest", "FirstTest"))).containsExactly("a.FirstTest", "b.ThirdTest");
        assertThat(SOME.select(List.of("ci"))).containsExactly("a.SecondTest", "b.ThirdTest");
        assertThat(SOME.select(List.of())).hasSize(3);
    }

    @Test
    void leavesOutAMethodOrSomeOfItsCalls() {
        assertThat(SOME.leftOut("a.FirstTest", "failsOver", "failsOver()"))
                .contains(new Suites.LeftOut("several", "needs two brokers"));
        assertThat(SOME.leftOut("a.FirstTest", "commits", "commits()")).isEmpty();
        assertThat(SOME.leftOut("a.SecondTest", "any", "[1] protocol=streams")).isPresent();
        assertThat(SOME.leftOut("a.SecondTest", "any", "[2] protocol=classic")).isEmpty();
    }

    @Test
    void refusesALineThatIsThereTwiceAndASectionWithoutAReason() {
        assertThatThrownBy(() -> Suites.parse(Stream.of("== run tools", "a.ATest", "a.ATest")))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> Suites.parse(Stream.of("== left out several", "a.ATest")))
                .hasMessageContaining("heading");
    }
}
