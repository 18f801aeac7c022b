package io.rivulet.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PrincipalRulesTest {
    private static final String KEY = "ssl.principal.mapping.rules";

    private static @Nullable String name(String rules, String subject) {
        return PrincipalRules.parse(KEY, rules).nameOf(subject);
    }

    @Test
    void theFirstRuleThatMatchesTheWholeSubjectApplies() {
        String rules = "RULE:^CN=([^,]+),OU=([^,]+)$/$1@$2/U, RULE:^cn=(.*)$/$1/L,DEFAULT";

        assertThat(name(rules, "CN=alice,OU=devices")).isEqualTo("ALICE@DEVICES");
        assertThat(name(rules, "cn=BOB")).isEqualTo("bob");
        assertThat(name(rules, "CN=alice,OU=devices,O=more")).isEqualTo("CN=alice,OU=devices,O=more");
    }

    @Test
    void withoutARuleThatAppliesThereIsNoName() {
        assertThat(name("RULE:^CN=(.*)$/$1/", "O=nobody")).isNull();
        assertThat(name("", "CN=alice")).isNull();
    }

    @Test
    void aSlashIsPartOfARuleBehindABackslash() {
        assertThat(name("RULE:CN=(.*)\\/(.*)/$2\\/$1/", "CN=a/b")).isEqualTo("b/a");
    }

    @Test
    void aReferenceToAGroupThatIsNotThereStandsForItself() {
        assertThat(name("RULE:CN=(.*)/$1-$2/", "CN=a")).isEqualTo("a-$2");
    }

    @Test
    void aReplacementThatCannotBeMadeGivesNoName() {
        assertThat(name("RULE:CN=.*/$1/", "CN=a")).isNull();
        assertThat(name("RULE:CN=.*/${missing}/,DEFAULT", "CN=a")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALICE",
                "DEFAULTS",
                "RULE:",
                "RULE:CN=(.*)/$1",
                "RULE:CN=(.*)/$1/X",
                "RULE:CN=(.*)/$1/LU",
                "RULE:CN=(.*/$1/",
                "RULE:CN=(.*)/$1/L DEFAULT",
                "RULE:a\\",
                "default",
            })
    void whatIsNoListOfRulesIsRefused(String rules) {
        assertThatThrownBy(() -> PrincipalRules.parse(KEY, rules))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(KEY);
    }

    /** A client has chosen the subject of its certificate. */
    @ParameterizedTest
    @ValueSource(strings = {"RULE:^CN=(a+)+$/$1/,DEFAULT", "RULE:.*a.*a.*a.*b/$0/,DEFAULT"})
    void aSubjectThatCostsTooMuchGivesNoName(String rules) {
        assertThat(name(rules, "CN=" + "a".repeat(1000) + "!") == null).isTrue();
        assertThat(name("DEFAULT", "a".repeat(PrincipalRules.MAX_CHARS + 1)) == null)
                .isTrue();
    }
}
