package io.rivulet.protocol.record.codec;

import com.github.luben.zstd.util.Native;
import io.rivulet.protocol.record.codec.CodecException.Kind;
import org.jspecify.annotations.Nullable;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyError;

/**
 * The native libraries of codecs. A library is unpacked into the directory for temporary files and loaded when it is
 * first needed. That fails if the directory is missing, full, read only or mounted noexec. Then batches of the codec
 * are refused; an Error would end the broker each time that a producer retries.
 *
 * <p>Thread-safe. A failure is permanent until the process ends, because a class that failed to initialize can't be
 * loaded again.
 */
final class NativeLibrary {
    static final NativeLibrary SNAPPY = new NativeLibrary("snappy", () -> Snappy.maxCompressedLength(1));
    static final NativeLibrary ZSTD = new NativeLibrary("zstd", Native::load);

    private final String codec;
    private final Runnable loading;
    private volatile boolean loaded;
    /** Guarded by {@code this}. */
    private @Nullable String failure;

    private NativeLibrary(String codec, Runnable loading) {
        this.codec = codec;
        this.loading = loading;
    }

    /** @throws CodecException if the library can't be loaded */
    void require() {
        if (!loaded) {
            load();
        }
    }

    private synchronized void load() {
        if (failure == null) {
            failure = failure(codec, loading);
            loaded = failure == null;
        }
        if (failure != null) {
            throw new CodecException(Kind.UNAVAILABLE, failure);
        }
    }

    /** Null when there is none. */
    static @Nullable String failure(String codec, Runnable loading) {
        try {
            loading.run();
            return null;
        } catch (LinkageError | SnappyError e) {
            return "the broker can't use " + codec + " because its library can't be unpacked to "
                    + System.getProperty("java.io.tmpdir") + " and loaded: " + e;
        }
    }
}
