package io.rivulet.it.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds {@code suites.txt} against the jars. */
final class SuitesListTest {
    private static final Suites SUITES = Suites.load();

    @Test
    void everyTestClassOfTheJarsIsRunOrLeftOutForAReason() {
        Set<String> listed = leftOutClasses();
        listed.addAll(SUITES.groups().keySet());

        assertThat(listed)
                .as("Sort new classes of the jars into suites.txt, and remove classes that the jars no longer have.")
                .containsExactlyInAnyOrderElementsOf(PublishedTests.find());
    }

    @Test
    void noClassIsBothRunAndLeftOut() {
        assertThat(leftOutClasses()).doesNotContainAnyElementsOf(SUITES.groups().keySet());
    }

    @Test
    void methodsAreLeftOutOfClassesThatRunOnly() {
        Set<String> types = SUITES.leftOut().keySet().stream()
                .filter(name -> !name.isClass())
                .map(Suites.Name::type)
                .filter(type -> !type.equals(Suites.ALL))
                .collect(Collectors.toSet());

        assertThat(SUITES.groups().keySet()).containsAll(types);
    }

    @Test
    void everyMethodThatIsLeftOutExists() {
        assertThat(SUITES.leftOut().keySet())
                .filteredOn(name -> !name.isClass())
                .filteredOn(name -> !PublishedTests.hasTest(name.type(), name.method()))
                .isEmpty();
    }

    @Test
    void partsHaveClassesThatRunOnly() {
        assertThat(SUITES.parts().values())
                .isNotEmpty()
                .allSatisfy(part -> assertThat(SUITES.groups().keySet()).containsAll(part));
    }

    private static Set<String> leftOutClasses() {
        return SUITES.leftOut().keySet().stream()
                .filter(Suites.Name::isClass)
                .map(Suites.Name::type)
                .collect(Collectors.toCollection(HashSet::new));
    }
}
