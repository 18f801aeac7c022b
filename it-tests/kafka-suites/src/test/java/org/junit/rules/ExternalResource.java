package org.junit.rules;

/**
 * Lets mock-oauth2-server load, whose web server extends JUnit 4's class of this name. With all of JUnit 4, the test
 * plugin would look for its tests, too. Stateless.
 */
public abstract class ExternalResource {
    protected ExternalResource() {}

    protected void before() {
        // JUnit 4 is not here to call it.
    }

    protected void after() {
        // As above.
    }
}
