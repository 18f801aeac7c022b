/**
 * The image, run by those who run it: Testcontainers, Spring Boot, compose, a shell. Without a container engine these tests are skipped,
 * with CI=true they fail.
 */
@NullMarked
package io.rivulet.it.containers;

import org.jspecify.annotations.NullMarked;
