package kafka.security.minikdc;

import java.io.File;
import java.util.List;
import java.util.Properties;

/**
 * Lets the tests load that can use Kerberos, of which most do not. Kafka's class of this name needs the libraries of
 * Apache Directory to be loaded at all. Stateless.
 */
public final class MiniKdc {
    public MiniKdc(Properties config, File directory) {
        throw new UnsupportedOperationException("Kerberos: the libraries of Apache Directory are not here");
    }

    public static Properties createConfig() {
        return new Properties();
    }

    public void start() {
        // There is no instance.
    }

    public void createPrincipal(File keytab, List<String> principals) {
        // There is no instance.
    }

    public void stop() {
        // There is no instance.
    }
}
