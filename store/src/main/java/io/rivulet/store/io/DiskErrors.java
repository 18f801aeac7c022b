package io.rivulet.store.io;

import io.rivulet.store.io.ShortageException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells a shortage from all other errors of the operating system. Thread-safe.
 *
 * <p>Java's exceptions carry the C library's text of an error and not its number, and the text is in the language of the machine. So
 * texts are looked up in the C library's own {@link MessageCatalog}. Where there is none, a full device is asked for its text, and an
 * error of an open is compared with that of a file which can always be opened.
 */
final class DiskErrors {
    private static final Path ALWAYS_FULL = Path.of("/dev/full");
    private static final Path ALWAYS_THERE = Path.of("/dev/null");

    /** In English: of glibc, and where it words them otherwise, of macOS and of musl. */
    private static final Map<String, Kind> ENGLISH = Map.of(
            "No space left on device", Kind.SPACE,
            "Disk quota exceeded", Kind.QUOTA,
            "Disc quota exceeded", Kind.QUOTA,
            "Quota exceeded", Kind.QUOTA,
            "Too many open files", Kind.DESCRIPTORS,
            "Too many open files in system", Kind.DESCRIPTORS,
            "No file descriptors available", Kind.DESCRIPTORS);

    private static final Map<String, Kind> KINDS = new ConcurrentHashMap<>(ENGLISH);

    static {
        MessageCatalog.translations(ENGLISH.keySet())
                .forEach((text, english) -> KINDS.put(text, ENGLISH.getOrDefault(english, Kind.SPACE)));
        askTheFullDevice();
    }

    private DiskErrors() {}

    /** An error of any call but a force or a close, which are final: what they were to write is lost. */
    static IOException of(Path path, IOException e) {
        Kind kind = kindOf(e);
        return kind == null ? withReason(e) : new ShortageException(kind, path, e);
    }

    /** Some say by their class alone what is the matter; a message to humans would be a path and nothing else. */
    private static IOException withReason(IOException e) {
        if (e instanceof AccessDeniedException denied && denied.getReason() == null) {
            return caused(new AccessDeniedException(denied.getFile(), denied.getOtherFile(), "permission denied"), e);
        }
        if (e instanceof NoSuchFileException missing && missing.getReason() == null) {
            return caused(new NoSuchFileException(missing.getFile(), missing.getOtherFile(), "not there"), e);
        }
        if (e instanceof FileAlreadyExistsException there && there.getReason() == null) {
            String reason = "there is something with this name";
            return caused(new FileAlreadyExistsException(there.getFile(), there.getOtherFile(), reason), e);
        }
        return e;
    }

    private static IOException caused(IOException e, IOException cause) {
        e.initCause(cause);
        return e;
    }

    /** An error of a call that needs a descriptor. */
    static IOException ofOpen(Path path, IOException e) {
        if (kindOf(e) == null && isOutOfDescriptors(e)) {
            KINDS.put(text(e), Kind.DESCRIPTORS);
        }
        return of(path, e);
    }

    private static @Nullable Kind kindOf(IOException e) {
        return e instanceof ShortageException shortage ? shortage.kind() : KINDS.get(text(e));
    }

    private static String text(IOException e) {
        String text = e instanceof FileSystemException named ? named.getReason() : e.getMessage();
        return text == null ? "" : text;
    }

    private static boolean isOutOfDescriptors(IOException e) {
        try (FileChannel channel = FileChannel.open(ALWAYS_THERE, StandardOpenOption.READ)) {
            return !channel.isOpen();
        } catch (IOException probed) {
            return !text(e).isEmpty() && text(probed).equals(text(e));
        }
    }

    private static void askTheFullDevice() {
        try (FileChannel full = FileChannel.open(ALWAYS_FULL, StandardOpenOption.WRITE)) {
            full.write(ByteBuffer.allocate(1));
        } catch (FileSystemException e) {
            // No such device here.
        } catch (IOException e) {
            KINDS.put(text(e), Kind.SPACE);
        }
    }
}
