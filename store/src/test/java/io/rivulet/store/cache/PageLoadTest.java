package io.rivulet.store.cache;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class PageLoadTest {
    private final PageLoad load = new PageLoad();

    @Test
    void aWaitForAFailedThreadEnds() {
        assertThatThrownBy(() -> load.await(() -> true))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the store has failed");
    }

    @Test
    void theLoadersExceptionIsThrownToAll() {
        load.fail(new IOException("a bad spot"));

        assertThatThrownBy(() -> load.await(() -> false)).hasMessage("a bad spot");
    }

    @Test
    void aCachedPageNeedsNoWait() {
        load.complete();

        assertThatCode(() -> load.await(() -> true)).doesNotThrowAnyException();
    }
}
