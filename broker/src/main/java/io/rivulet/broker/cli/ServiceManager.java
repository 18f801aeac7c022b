package io.rivulet.broker.cli;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd that the broker serves clients, if its unit asks for that ({@code Type=notify}). The program of systemd
 * sends the message, because Java has no datagram sockets in the file system. Without a unit it costs nothing.
 *
 * <p>Owned by: thread main.
 */
final class ServiceManager {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceManager.class);

    private ServiceManager() {}

    /** A failure is only logged, because the broker works. */
    static void ready() {
        if (System.getenv("NOTIFY_SOCKET") == null) {
            return;
        }
        try {
            int exitCode = new ProcessBuilder("systemd-notify", "--ready")
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exitCode != 0) {
                LOG.warn("systemd does not know that the broker is ready: systemd-notify ended with {}", exitCode);
            }
        } catch (IOException e) {
            LOG.warn("systemd does not know that the broker is ready: systemd-notify does not start", e);
        } catch (InterruptedException e) {
            LOG.debug("Ignored an interrupt of the main thread");
        }
    }
}
