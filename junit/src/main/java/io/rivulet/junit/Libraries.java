package io.rivulet.junit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The broker and its libraries, which are jars in the jar of this module. A test never sees them, and they never see
 * those of the test: Netty, the codecs of kafka-clients and others are there in versions that another project has
 * chosen. Two things are shared: this package, whose types both sides use, and SLF4J, so that the broker's log is in
 * the log of the test.
 *
 * <p>The jars are copied to temporary files at the first start of a broker, and deleted when the process ends. Without
 * jars, as in the build of this module, the broker is on the class path.
 *
 * <p>Why: docs/decisions/0051-libraries-of-a-test.md
 */
final class Libraries {
    /** Names of jars, as resources beside this class. The build writes it. */
    private static final String LIST = "libraries/list";

    private static final String SEPARATOR = ";";
    private static final String BRIDGE = "io.rivulet.junit.bridge.";

    private Libraries() {}

    /** The loader is made once and never closed: its classes have threads, and native libraries are loaded once. */
    private static final class Holder {
        static final ClassLoader LOADER = open(Libraries.class);

        private Holder() {}
    }

    static RivuletBroker.Plan newPlan() {
        try {
            Class<?> plan = Class.forName(BRIDGE + "BridgedPlan", true, Holder.LOADER);
            return (RivuletBroker.Plan) plan.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("rivulet-junit has neither its libraries nor the broker", e);
        }
    }

    private static ClassLoader open(Class<?> here) {
        try (InputStream list = here.getResourceAsStream(LIST)) {
            if (list == null) {
                return here.getClassLoader();
            }
            Path directory = Files.createTempDirectory("rivulet-junit");
            directory.toFile().deleteOnExit();
            List<URL> jars = new ArrayList<>();
            for (String name : new String(list.readAllBytes(), StandardCharsets.UTF_8).split(SEPARATOR)) {
                jars.add(copy(here, name, directory).toUri().toURL());
            }
            return new Isolated(jars.toArray(URL[]::new), here.getClassLoader());
        } catch (IOException e) {
            throw new UncheckedIOException("the broker's libraries can't be copied to a temporary directory", e);
        }
    }

    private static Path copy(Class<?> here, String name, Path directory) throws IOException {
        try (InputStream from = here.getResourceAsStream(name)) {
            if (from == null) {
                throw new IOException("rivulet-junit has no " + name);
            }
            Path to = directory.resolve(name.substring(name.lastIndexOf('/') + 1));
            Files.copy(from, to);
            to.toFile().deleteOnExit();
            return to;
        }
    }

    /** Looks into its own jars first, but for what is shared. The JDK is its only parent. */
    private static final class Isolated extends URLClassLoader {
        static {
            registerAsParallelCapable();
        }

        private final ClassLoader test;
        private final boolean testHasSlf4j;

        Isolated(URL[] jars, ClassLoader test) {
            super("rivulet", jars, ClassLoader.getPlatformClassLoader());
            this.test = test;
            this.testHasSlf4j = test.getResource("org/slf4j/LoggerFactory.class") != null;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return isShared(name) ? test.loadClass(name) : super.loadClass(name, resolve);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            return name.startsWith(BRIDGE) ? define(name) : super.findClass(name);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream from = test.getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (from == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = from.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        private boolean isShared(String name) {
            return name.startsWith("io.rivulet.junit.")
                    ? !name.startsWith(BRIDGE)
                    : testHasSlf4j && name.startsWith("org.slf4j.");
        }
    }
}
