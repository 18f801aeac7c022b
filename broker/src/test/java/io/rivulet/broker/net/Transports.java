package io.rivulet.broker.net;

/** What tests of sockets run with. */
final class Transports {
    /** {@code -Drivulet.transport=epoll} chooses another one. */
    static final Transport TESTED = Transport.of(System.getProperty("rivulet.transport", "nio"));

    private Transports() {}
}
