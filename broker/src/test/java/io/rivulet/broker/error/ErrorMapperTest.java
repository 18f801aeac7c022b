package io.rivulet.broker.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.producer.BatchRefusal;
import io.rivulet.broker.producer.SequenceHeader;
import org.junit.jupiter.api.Test;

final class ErrorMapperTest {
    private static ErrorCode code(BatchRefusal reason, int version) {
        return ErrorMapper.refusal(reason, new SequenceHeader(), (short) version)
                .code();
    }

    @Test
    void aRefusedBatchGetsACodeThatItsVersionOfProduceKnows() {
        assertThat(code(BatchRefusal.NOT_ADDED, 10)).isEqualTo(ErrorCode.INVALID_TXN_STATE);
        assertThat(code(BatchRefusal.NOT_ADDED, 11)).isEqualTo(ErrorCode.TRANSACTION_ABORTABLE);
        assertThat(code(BatchRefusal.ENDING, 11)).isEqualTo(ErrorCode.NOT_ENOUGH_REPLICAS);
        assertThat(code(BatchRefusal.ENDING, 12)).isEqualTo(ErrorCode.CONCURRENT_TRANSACTIONS);
    }
}
