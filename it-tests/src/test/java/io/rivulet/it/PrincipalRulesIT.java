package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConfigException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.common.security.ssl.SslPrincipalMapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules that make names of users from certificates, beside those of Kafka. */
final class PrincipalRulesIT {
    private static final String REFUSED = "(refused)";

    private static final List<String> PARTS = List.of(
            "DEFAULT", "RULE:", "/", "/", "/", ",", ", ", " ", "L", "U", "CN=", "(.*)", "(.*?)", "([^,]+)", ".*", "^",
            "$", "$1", "$2", "$0", "${a}", "(?<a>.)", "\\/", "\\$", "\\", "a", "A", "@", "|", "(", ")", "OU=");

    private static final List<String> WHOLE = List.of(
            "RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/, RULE:^CN=(.*?),OU=(.*?)$/$1@$2/L,DEFAULT",
            "RULE:.*/x/",
            "RULE:(CN|C).*/$1/U",
            "RULE:^.*[Cc][Nn]=([a-zA-Z0-9.]*).*$/$1/L",
            "RULE:CN=(.*)/$9-$1/",
            "RULE:CN=a|CN=ab/z/",
            " , ,DEFAULT, ",
            "DEFAULT DEFAULT");

    private static final List<String> SUBJECTS =
            List.of("CN=a", "CN=ab", "CN=Alice,OU=ServiceUsers,O=x", "CN=a,OU=b", "O=a/b", "", "CN=\\,$1");

    private static @Nullable String kafkas(String rules, String subject) {
        SslPrincipalMapper mapper;
        try {
            mapper = SslPrincipalMapper.fromRules(rules);
        } catch (IllegalArgumentException e) {
            return REFUSED;
        }
        try {
            return mapper.getName(subject);
        } catch (Exception e) {
            return null;
        }
    }

    private static @Nullable String rivulets(String rules, String subject) {
        try {
            return Objects.requireNonNull(BrokerConfig.of(Map.of(
                                    "listeners", "SSL://localhost:0",
                                    "rivulet.tls", "self-signed",
                                    "ssl.principal.mapping.rules", rules))
                            .listeners()
                            .get(0)
                            .tls())
                    .principals()
                    .nameOf(subject);
        } catch (ConfigException e) {
            return REFUSED;
        }
    }

    private static void assertSame(String rules) {
        for (String subject : SUBJECTS) {
            assertThat(rivulets(rules, subject))
                    .as("%s of '%s'", rules, subject)
                    .isEqualTo(kafkas(rules, subject));
        }
    }

    @Test
    void rulesGiveTheNamesThatKafkaGives() {
        WHOLE.forEach(PrincipalRulesIT::assertSame);
    }

    @Test
    void randomRulesGiveTheNamesThatKafkaGives() {
        Random random = new Random(); // a failure names the rules
        for (int i = 0; i < 3000; i++) {
            assertSame(rules(random));
        }
    }

    private static String rules(Random random) {
        if (random.nextBoolean()) {
            return "RULE:" + parts(random, 4) + "/" + parts(random, 3) + "/" + (random.nextBoolean() ? "L" : "");
        }
        return parts(random, 12);
    }

    private static String parts(Random random, int most) {
        return IntStream.range(0, random.nextInt(most + 1))
                .mapToObj(i -> PARTS.get(random.nextInt(PARTS.size())))
                .reduce("", String::concat);
    }
}
