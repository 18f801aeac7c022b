package io.rivulet.it.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.testcontainers.utility.DockerImageName;

/** Rivulet's image, built from the jars of this build. */
final class Image {
    /**
     * The modules for Node and Python read the version of cp-kafka from the tag. With another name, tests of two
     * checkouts may share a container engine.
     */
    static final String TAG = System.getProperty("rivulet.image", "rivulet:8.0.0");

    private static final String CLUSTER_TAG = TAG + "-cluster";

    private static @Nullable String built;
    private static @Nullable String builtForClusters;

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
            built = build("--tag", TAG);
        }
        return TAG;
    }

    /** The same with the image for brokers and engines of a cluster. */
    static synchronized String requireForClusters() {
        require();
        if (!Boolean.getBoolean("rivulet.image.built") && builtForClusters == null) {
            builtForClusters = build("--tag", TAG, "--cluster");
        }
        return CLUSTER_TAG;
    }

    private static String build(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of("..", "..", "docker", "build.sh")
                .toAbsolutePath()
                .normalize()
                .toString());
        command.addAll(List.of(arguments));
        return Shell.run(command.toArray(String[]::new));
    }

    static DockerImageName as(String other) {
        return DockerImageName.parse(require()).asCompatibleSubstituteFor(other);
    }
}
