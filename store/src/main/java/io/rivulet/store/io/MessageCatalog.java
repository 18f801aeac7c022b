package io.rivulet.store.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translations of the C library's error texts into the languages of this machine, from the GNU gettext catalogs that
 * the C library itself uses.
 *
 * <pre>
 *   0       4          8       12                 16
 *  +-------+----------+-------+------------------+----------------------+
 *  | magic | revision | count | address of texts | address of their     |
 *  |       |          |       | in English       | translations         |
 *  +-------+----------+-------+------------------+----------------------+
 * </pre>
 *
 * <p>At each of both addresses there are {@code count} pairs of length and address, 4 bytes each, in the byte order of
 * the magic number.
 */
final class MessageCatalog {
    private static final List<Path> FOLDERS =
            List.of(Path.of("/usr/share/locale"), Path.of("/usr/share/locale-langpack"));
    private static final String FILE = "LC_MESSAGES/libc.mo";

    private static final int MAGIC = 0x950412de;
    private static final int COUNT_AT = 8;
    private static final int TEXTS_AT = 12;
    private static final int TRANSLATIONS_AT = 16;
    private static final int ENTRY_BYTES = 8;
    private static final Pattern CHARSET = Pattern.compile("charset=([\\w-]+)");
    private static final Pattern LANGUAGE = Pattern.compile("(([a-z]+)(_[A-Z]+)?)([.@].*)?");

    private MessageCatalog() {}

    /**
     * The English text of each translation that this machine may use. Empty if the machine uses English or has no
     * catalogs.
     *
     * @param english the texts to translate
     */
    static Map<String, String> translations(Set<String> english) {
        Map<String, String> found = new HashMap<>();
        for (String language : languages(System.getenv())) {
            for (Path folder : FOLDERS) {
                found.putAll(read(folder.resolve(language).resolve(FILE), english));
            }
        }
        return found;
    }

    /** All languages that the C library may choose. */
    static Set<String> languages(Map<String, String> environment) {
        Set<String> languages = new LinkedHashSet<>();
        for (String name : List.of("LANG", "LC_MESSAGES", "LC_ALL", "LANGUAGE")) {
            for (String language : environment.getOrDefault(name, "").split(":", -1)) {
                Matcher matcher = LANGUAGE.matcher(language);
                if (matcher.matches()) {
                    languages.add(matcher.group(2));
                    languages.add(matcher.group(1));
                }
            }
        }
        return languages;
    }

    private static Map<String, String> read(Path file, Set<String> english) {
        if (!Files.isReadable(file)) {
            return Map.of();
        }
        try {
            return read(ByteBuffer.wrap(Files.readAllBytes(file)), english);
        } catch (IOException | RuntimeException e) {
            return Map.of(); // Not a catalog.
        }
    }

    static Map<String, String> read(ByteBuffer bytes, Set<String> english) {
        bytes.order(bytes.getInt(0) == MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt(0) != MAGIC) {
            return Map.of();
        }
        Map<String, String> found = new HashMap<>();
        Charset charset = StandardCharsets.UTF_8;
        for (int i = 0; i < bytes.getInt(COUNT_AT); i++) {
            String text = text(bytes, bytes.getInt(TEXTS_AT) + i * ENTRY_BYTES, StandardCharsets.US_ASCII);
            if (text.isEmpty()) { // The first entry describes the catalog.
                String description = text(bytes, bytes.getInt(TRANSLATIONS_AT), charset);
                Matcher matcher = CHARSET.matcher(description);
                charset = matcher.find() ? Charset.forName(matcher.group(1)) : charset;
            } else if (english.contains(text)) {
                found.put(text(bytes, bytes.getInt(TRANSLATIONS_AT) + i * ENTRY_BYTES, charset), text);
            }
        }
        return found;
    }

    private static String text(ByteBuffer bytes, int entryAt, Charset charset) {
        byte[] text = new byte[bytes.getInt(entryAt)];
        bytes.get(bytes.getInt(entryAt + Integer.BYTES), text);
        return new String(text, charset);
    }
}
