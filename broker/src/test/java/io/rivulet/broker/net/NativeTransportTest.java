package io.rivulet.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Unix;
import io.netty.channel.uring.IoUring;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The native libraries of transports must have the native methods of their classes. A library that has more than its
 * classes does not load. One that has less fails at the first call.
 */
final class NativeTransportTest {
    @ParameterizedTest
    @CsvSource({
        "io.netty.channel.epoll.Epoll, epoll_x86_64",
        "io.netty.channel.epoll.Epoll, epoll_aarch_64",
        "io.netty.channel.uring.IoUring, io_uring42_x86_64",
        "io.netty.channel.uring.IoUring, io_uring42_aarch_64",
    })
    void theLibraryHasEachNativeMethodOfTheClasses(String anyClass, String library) throws Exception {
        List<String> methods = new ArrayList<>(nativeMethods(Class.forName(anyClass, false, loader())));
        methods.addAll(nativeMethods(Unix.class)); // the library contains that of netty-transport-native-unix-common

        assertThat(methods).hasSizeGreaterThan(40);
        assertThat(missing(methods, library)).isEmpty();
    }

    @Test
    void aMissingMethodIsFound() throws Exception {
        assertThat(missing(List.of("epollWait", "epollWai", "teleport"), "epoll_x86_64"))
                .containsExactly("epollWai", "teleport");
    }

    @Test
    void autoIsEpollWhereItCanBeLoaded() {
        assertThat(Transport.of("auto").name()).isEqualTo(Epoll.isAvailable() ? "epoll" : "nio");
    }

    /** A container may forbid it. Otherwise its limits hold only without accepts that nobody asked for. */
    @Test
    void ioUringAcceptsOnlyWhenAsked() {
        if (IoUringTransportProbe.loads()) {
            assertThat(IoUring.isAcceptMultishotEnabled()).isFalse();
        } else {
            assertThat(IoUring.isAvailable()).isFalse();
        }
    }

    /** Loads it as the broker does, before anything else asks for it. */
    private static final class IoUringTransportProbe {
        static boolean loads() {
            try {
                IoUringTransport.load();
                return true;
            } catch (UnsatisfiedLinkError e) {
                return false;
            }
        }
    }

    private static ClassLoader loader() {
        return NativeTransportTest.class.getClassLoader();
    }

    /** The names that the library does not have. */
    private static List<String> missing(List<String> methods, String library) throws IOException {
        String file = "META-INF/native/libnetty_transport_native_" + library + ".so";
        try (InputStream in = Objects.requireNonNull(loader().getResourceAsStream(file), file)) {
            String bytes = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            return methods.stream()
                    .filter(name -> !bytes.contains(name + "\0")) // a linker may keep it as the end of another one
                    .toList();
        }
    }

    /** The names of the native methods in the package of a class, in its jar. */
    private static List<String> nativeMethods(Class<?> one) throws IOException {
        String path = one.getName().replace('.', '/') + ".class";
        URL place = Objects.requireNonNull(loader().getResource(path), path);
        String directory = path.substring(0, path.lastIndexOf('/') + 1);
        try (JarFile jar = new JarFile(
                ((JarURLConnection) place.openConnection()).getJarFileURL().getFile())) {
            return jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith(directory) && name.endsWith(".class"))
                    .flatMap(NativeTransportTest::nativeMethods)
                    .distinct()
                    .toList();
        }
    }

    private static Stream<String> nativeMethods(String entry) {
        String name = entry.substring(0, entry.length() - ".class".length()).replace('/', '.');
        if (name.endsWith("package-info")) {
            return Stream.of();
        }
        try {
            return Arrays.stream(Class.forName(name, false, loader()).getDeclaredMethods())
                    .filter(method -> Modifier.isNative(method.getModifiers()))
                    .map(Method::getName);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
