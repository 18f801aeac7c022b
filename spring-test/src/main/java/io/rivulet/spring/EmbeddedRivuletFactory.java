package io.rivulet.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Finds the annotation on the class, above it and around it. Stateless; META-INF/spring.factories names it. */
final class EmbeddedRivuletFactory implements ContextCustomizerFactory {
    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        EmbeddedRivulet wanted = TestContextAnnotationUtils.findMergedAnnotation(testClass, EmbeddedRivulet.class);
        return wanted == null ? null : BrokerOfContext.of(wanted);
    }
}
