import java.net.InetAddress;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;

/** mock-oauth2-server on a free port of the loopback interface. Prints its address. Ends with its standard input. */
public final class IdentityProvider {
    public static void main(String[] args) throws Exception {
        MockOAuth2Server server = new MockOAuth2Server(new OAuth2Config());
        server.start(InetAddress.getByName("127.0.0.1"), 0);
        System.out.println(server.baseUrl());
        while (System.in.read() >= 0) {
            // wait for the end
        }
        System.exit(0); // ends the threads of the server too
    }
}
