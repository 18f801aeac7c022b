package io.rivulet.store.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MessageCatalogTest {
    private static final int MAGIC = 0x950412de;

    @Test
    void translationsAreFoundInEitherOrderOfBytesAndAnyCharset() {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            for (Charset charset : new Charset[] {StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1}) {
                ByteBuffer catalog = catalog(
                        order,
                        charset,
                        "",
                        "Content-Type: text/plain; charset=" + charset,
                        "Full",
                        "Überfüllt",
                        "Other",
                        "Anderes");

                assertThat(MessageCatalog.read(catalog, Set.of("Full", "Absent")))
                        .isEqualTo(Map.of("Überfüllt", "Full"));
            }
        }
    }

    @Test
    void aFileThatIsNoCatalogHasNoTranslations() {
        assertThat(MessageCatalog.read(ByteBuffer.allocate(100), Set.of("Full")))
                .isEmpty();
    }

    @Test
    void languagesAreThoseThatTheCLibraryMayChoose() {
        assertThat(MessageCatalog.languages(
                        Map.of("LC_ALL", "de_DE.UTF-8@euro", "LANGUAGE", "fr:pt_BR", "LANG", "C.UTF-8")))
                .containsExactlyInAnyOrder("de", "de_DE", "fr", "pt", "pt_BR");
    }

    private static ByteBuffer catalog(ByteOrder order, Charset charset, String... texts) {
        int count = texts.length / 2;
        ByteBuffer bytes = ByteBuffer.allocate(1000).order(order);
        bytes.putInt(MAGIC).putInt(0).putInt(count).putInt(20).putInt(20 + 8 * count);
        int at = 20 + 16 * count;
        for (int i = 0; i < texts.length; i++) {
            byte[] text = texts[i].getBytes(charset);
            int entryAt = 20 + 8 * (i / 2) + i % 2 * 8 * count;
            bytes.putInt(entryAt, text.length).putInt(entryAt + 4, at).put(at, text);
            at += text.length + 1;
        }
        return bytes.order(ByteOrder.BIG_ENDIAN);
    }
}
