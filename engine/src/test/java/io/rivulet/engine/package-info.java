@NullMarked
package io.rivulet.engine;

import org.jspecify.annotations.NullMarked;
