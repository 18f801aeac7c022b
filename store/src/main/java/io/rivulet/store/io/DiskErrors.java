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
 * Distinguishes a shortage from all other errors of the operating system. Thread-safe.
 *
 * <p>Java's exceptions contain the C library's text of an error, in the language of the machine, and not its number. So
 * texts are looked up in the C library's own {@link MessageCatalog}. If there is none, this class writes to a full
 * device to get its text, and opens a file that always exists to see whether that fails with the same text.
 */
final class DiskErrors {
    private static final Path ALWAYS_FULL = Path.of("/dev/full");
    private static final Path ALWAYS_THERE = Path.of("/dev/null");

    /** The English texts of glibc, and of macOS and musl if they differ. */
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
        readTextOfFullDevice();
    }

    private DiskErrors() {}

    /** Maps an error of any call except a force or a close. Those are final, because their data is lost. */
    static IOException of(Path path, IOException e) {
        Kind kind = kindOf(e);
        return kind == null ? withReason(e) : new ShortageException(kind, path, e);
    }

    /** Some exceptions have no reason except their class. Their message would be the path only. */
    private static IOException withReason(IOException e) {
        if (e instanceof AccessDeniedException denied && denied.getReason() == null) {
            return caused(new AccessDeniedException(denied.getFile(), denied.getOtherFile(), "permission denied"), e);
        }
        if (e instanceof NoSuchFileException missing && missing.getReason() == null) {
            return caused(new NoSuchFileException(missing.getFile(), missing.getOtherFile(), "not there"), e);
        }
        if (e instanceof FileAlreadyExistsException there && there.getReason() == null) {
            String reason = "the name is in use";
            return caused(new FileAlreadyExistsException(there.getFile(), there.getOtherFile(), reason), e);
        }
        return e;
    }

    private static IOException caused(IOException e, IOException cause) {
        e.initCause(cause);
        return e;
    }

    /** Maps an error of a call that needs a file descriptor. */
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

    private static void readTextOfFullDevice() {
        try (FileChannel full = FileChannel.open(ALWAYS_FULL, StandardOpenOption.WRITE)) {
            full.write(ByteBuffer.allocate(1));
        } catch (FileSystemException e) {
            // This system has no such device.
        } catch (IOException e) {
            KINDS.put(text(e), Kind.SPACE);
        }
    }
}
