package io.rivulet.store.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.memory.PageOwner;
import io.rivulet.store.memory.PagePool;
import org.junit.jupiter.api.Test;

/** The last unpin frees the page. After that it can't be pinned. */
class CachedPageTest {
    private final PagePool pool = new PagePool("pages", 4096, 4096, 4096);
    private final PageOwner owner = pool.owner("test");

    private CachedPage page() {
        int page = owner.acquire();
        return new CachedPage(1, owner, page, pool.page(page));
    }

    @Test
    void thePageGoesBackWithItsLastPin() {
        CachedPage page = page();
        assertThat(page.pin()).isTrue();
        page.unpin();
        assertThat(owner.held()).isEqualTo(1);
        page.unpin();
        assertThat(owner.held()).isZero();
    }

    @Test
    void aPageThatIsGoneCannotBePinned() {
        CachedPage page = page();
        page.unpin();
        assertThat(page.pin()).isFalse();
    }

    @Test
    void oneUnpinTooManyThrows() {
        CachedPage page = page();
        page.unpin();
        assertThatThrownBy(page::unpin).isInstanceOf(IllegalStateException.class);
    }
}
