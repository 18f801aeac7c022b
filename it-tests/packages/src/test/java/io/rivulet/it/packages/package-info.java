/**
 * Tests of the tar.gz, the .deb and the .rpm in a bare Debian without Java. On machines that lack root or a program,
 * these tests are skipped; with CI=true they fail.
 */
@NullMarked
package io.rivulet.it.packages;

import org.jspecify.annotations.NullMarked;
