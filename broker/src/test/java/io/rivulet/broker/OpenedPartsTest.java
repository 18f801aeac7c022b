package io.rivulet.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OpenedPartsTest {
    @Test
    void anErrorKeepsNothingOpen() {
        List<String> closed = new ArrayList<>();
        LinkageError error = new LinkageError("on purpose");
        OpenedParts parts = new OpenedParts();
        parts.add(() -> closed.add("first"));
        parts.add(() -> {
            throw error;
        });
        Exception failed = new Exception();

        parts.close(failed);

        assertThat(closed).containsExactly("first");
        assertThat(failed.getSuppressed()).containsExactly(error);
    }
}
