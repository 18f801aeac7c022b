package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.testcontainers.utility.DockerImageName;

/** Rivulet's image, built from the jars of this build. */
final class Image {
    /**
     * The modules for Node and Python read the version of cp-kafka from the tag. With another name, tests of two
     * checkouts may share a container engine.
     */
    static final String TAG = System.getProperty("rivulet.image", "rivulet:8.0.0");

    private static @Nullable String built;

    private Image() {}

    /**
     * Builds the image once, unless -Drivulet.image.built=true. Skips the test if there is no container engine; with
     * CI=true the test fails.
     */
    static synchronized String require() {
        boolean engine = Shell.succeeds("docker", "version");
        if ("true".equals(System.getenv("CI"))) {
            assertThat(engine).as("a container engine responds").isTrue();
        }
        assumeThat(engine).as("a container engine responds to 'docker version'").isTrue();
        if (Boolean.getBoolean("rivulet.image.built")) {
            return TAG;
        }
        if (built == null) {
            built = Shell.run(
                    Path.of("..", "..", "docker", "build.sh")
                            .toAbsolutePath()
                            .normalize()
                            .toString(),
                    "--tag",
                    TAG);
        }
        return TAG;
    }

    static DockerImageName as(String other) {
        return DockerImageName.parse(require()).asCompatibleSubstituteFor(other);
    }
}
