package io.rivulet.protocol.record.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.xerial.snappy.SnappyError;
import org.xerial.snappy.SnappyErrorCode;

/** StartIT tests a process without the libraries. */
final class NativeLibraryTest {
    @Test
    void anAvailableLibraryIsLoaded() {
        assertThatCode(NativeLibrary.SNAPPY::require).doesNotThrowAnyException();
        assertThatCode(NativeLibrary.ZSTD::require).doesNotThrowAnyException();
    }

    @Test
    void eachErrorOfLoadingIsAReasonToRefuse() {
        assertThat(failure(new UnsatisfiedLinkError("no such file"))).contains("can't use x", "no such file");
        assertThat(failure(new NoClassDefFoundError("Could not initialize"))).contains("Could not initialize");
        assertThat(failure(new SnappyError(SnappyErrorCode.FAILED_TO_LOAD_NATIVE_LIBRARY)))
                .contains("FAILED_TO_LOAD_NATIVE_LIBRARY");
    }

    @Test
    void anOutOfMemoryErrorIsThrown() {
        assertThatThrownBy(() -> failure(new OutOfMemoryError("heap"))).isInstanceOf(OutOfMemoryError.class);
    }

    private static String failure(Error error) {
        return String.valueOf(NativeLibrary.failure("x", () -> {
            throw error;
        }));
    }
}
