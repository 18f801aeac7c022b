package io.rivulet.broker.sasl;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * SCRAM, RFC 5802, without channel binding:
 *
 * <pre>
 * client  n,,n=name,r=nonce
 * broker  r=nonce and more,s=salt,i=iterations
 * client  c=biws,r=nonce and more,p=proof
 * broker  v=signature
 * </pre>
 *
 * <p>A name that does not exist gets a salt too, and fails at the proof. So the answers do not tell which names exist.
 * A message has at most {@link #MAX_BYTES}. Owned by: the event loop of the connection.
 */
final class ScramExchange implements Exchange {
    /** Clients send about 100. */
    static final int MAX_BYTES = 4096;

    private static final int NONCE_BYTES = 18;
    private static final String TOKEN = "tokenauth=true";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Scram scram;
    private final ScramUsers users;

    /** Null before the first message. */
    private @Nullable First first;

    /**
     * What is known after the first message.
     *
     * @param header what the client must repeat, in base 64
     * @param own the nonce of the client
     * @param nonce the same and that of the broker, which the client must repeat, too
     * @param credential of the user, or a decoy
     */
    private record First(
            String user,
            String header,
            String own,
            String nonce,
            String messages,
            ScramCredential credential,
            boolean exists) {}

    ScramExchange(Scram scram, ScramUsers users) {
        this.scram = scram;
        this.users = users;
    }

    @Override
    public void next(byte[] token, Consumer<Step> answered) {
        String message = token.length > MAX_BYTES ? "" : new String(token, StandardCharsets.UTF_8);
        First known = first;
        answered.accept(known == null ? first(message) : last(known, message));
    }

    private Step first(String message) {
        int header = endOfHeader(message);
        if (header < 0) {
            return Step.refused(Login.INVALID);
        }
        String actAs = name(message.substring(message.startsWith("a=", 2) ? 4 : 2, header - 1));
        String bare = message.substring(header);
        String[] parts = bare.split(",", -1);
        int at = parts[0].startsWith("m=") ? 1 : 0;
        String user = at < parts.length && parts[at].startsWith("n=") ? name(parts[at].substring(2)) : null;
        String nonce = at + 1 < parts.length && parts[at + 1].startsWith("r=") ? parts[at + 1].substring(2) : "";
        boolean hasToken = bare.contains("," + TOKEN);
        if (user == null || user.isEmpty() || !isPrintable(nonce) || actAs == null || hasToken) {
            return Step.refused(Login.INVALID);
        }
        if (!actAs.isEmpty() && !actAs.equals(user)) {
            return Step.refused(
                    "Authentication failed: Client requested an authorization id that is different from username");
        }
        ScramCredential decoy = users.decoy(user, scram);
        ScramCredential own = users.find(user, scram);
        ScramCredential credential = own == null ? decoy : own;
        String allNonce = nonce + random();
        String answer = "r=" + allNonce + ",s=" + base64(credential.salt()) + ",i=" + credential.iterations();
        String repeated = base64(message.substring(0, header).getBytes(StandardCharsets.UTF_8));
        first = new First(user, repeated, nonce, allNonce, bare + "," + answer, credential, own != null);
        return Step.challenge(answer.getBytes(StandardCharsets.UTF_8));
    }

    /** The first character behind "n,,", or behind "n,a=name,"; -1 if the message begins otherwise. */
    private static int endOfHeader(String message) {
        boolean isKnown = message.startsWith("n,") || message.startsWith("y,");
        int comma = isKnown ? message.indexOf(',', 2) : -1;
        boolean isEmpty = comma == 2;
        return comma < 0 || !(isEmpty || message.startsWith("a=", 2)) ? -1 : comma + 1;
    }

    private Step last(First known, String message) {
        int end = endOfNonce(known, message);
        int proofAt = message.lastIndexOf(",p=");
        byte[] proof = proofAt < 0 ? null : bytes(message.substring(proofAt + 3));
        if (proof == null
                || proof.length != scram.keyBytes()
                || end < 0
                || (proofAt != end && message.charAt(end) != ',')) {
            return Step.refused(Login.INVALID);
        }
        ScramCredential credential = known.credential();
        byte[] signed = (known.messages() + "," + message.substring(0, proofAt)).getBytes(StandardCharsets.UTF_8);
        byte[] clientKey = scram.hmac(credential.storedKey(), signed);
        Scram.xorInto(clientKey, proof);
        boolean isRight = MessageDigest.isEqual(scram.hash(clientKey), credential.storedKey());
        String signature = "v=" + base64(scram.hmac(credential.serverKey(), signed));
        return isRight && known.exists()
                ? Step.complete(signature.getBytes(StandardCharsets.US_ASCII), known.user())
                : Step.refused(Login.INVALID);
    }

    /**
     * Of a message that repeats header and nonce; -1 otherwise. librdkafka before 2.6.1 writes its own nonce once more.
     * That is as safe, because the broker's is there.
     */
    private static int endOfNonce(First known, String message) {
        String start = "c=" + known.header() + ",r=";
        String own = known.own();
        boolean isTwice = message.startsWith(own + known.nonce(), start.length());
        int nonceAt = isTwice ? start.length() + own.length() : start.length();
        boolean isRepeated = message.startsWith(start) && message.startsWith(known.nonce(), nonceAt);
        return isRepeated ? nonceAt + known.nonce().length() : -1;
    }

    /** The text behind an attribute, with its commas and equal signs; null if it is no name. */
    private static @Nullable String name(String name) {
        String rest = name.replace("=2C", "").replace("=3D", "");
        return rest.indexOf('=') >= 0 || name.indexOf('\0') >= 0
                ? null
                : name.replace("=2C", ",").replace("=3D", "=");
    }

    private static boolean isPrintable(String nonce) {
        return !nonce.isEmpty() && nonce.chars().allMatch(c -> c > ' ' && c < 0x7f && c != ',');
    }

    private static String random() {
        byte[] bytes = new byte[NONCE_BYTES];
        RANDOM.nextBytes(bytes);
        return base64(bytes);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte @Nullable [] bytes(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
