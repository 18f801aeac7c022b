package io.rivulet.bench.versus;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.bench.lab.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CaseTest {
    @Test
    void threeBrokersRunTheProduceCasesThatKafkaCanRun() {
        for (Subject subject : Comparison.FAILOVER.subjects()) {
            List<String> names = Cases.all().stream()
                    .filter(one -> one.runsOn(subject))
                    .map(Case::name)
                    .toList();

            assertThat(names)
                    .as(subject.title())
                    .containsExactly("produce-1x500", "produce-1x1", "produce-100x1", "produce-10000x1");
        }
    }

    @Test
    void aBrokerByItselfRunsTheProduceCasesAsBefore() {
        assertThat(Cases.all())
                .filteredOn(one -> one.runsOn(Subject.RIVULET_CLUSTER))
                .extracting(Case::name)
                .contains("produce-1000000x1", "latency-500");
    }
}
