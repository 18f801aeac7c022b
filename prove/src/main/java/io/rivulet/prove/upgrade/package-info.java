/**
 * Data directories of earlier versions are opened by this one, and files of later versions are refused.
 *
 * <p>Enters: archives in the resources of this package, which {@link io.rivulet.prove.upgrade.Archive} describes.
 * Leaves: violations. {@code bin/rivulet prove --make-archive} makes an archive of this version.
 *
 * <p>Thread: any; each point has its own directory.
 */
@NullMarked
package io.rivulet.prove.upgrade;

import org.jspecify.annotations.NullMarked;
