/**
 * Tests of the image with Testcontainers, Spring Boot, compose and a shell. Without a container engine these tests are
 * skipped; with CI=true they fail.
 */
@NullMarked
package io.rivulet.it.containers;

import org.jspecify.annotations.NullMarked;
