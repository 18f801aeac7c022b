package io.rivulet.broker.sasl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JaasTest {
    @Test
    void aValueIsAModuleWithItsOptions() throws Exception {
        Jaas.Module module = Jaas.module("""
                a.b.Plain required /* users */ user_alice="s;e=c\\"r\\\\et" // hers
                  user_bob='a "word"' number=5
                  empty="" user_c=";";""");

        assertThat(module.className()).isEqualTo("a.b.Plain");
        assertThat(module.options())
                .isEqualTo(Map.of(
                        "user_alice",
                        "s;e=c\"r\\et",
                        "user_bob",
                        "a \"word\"",
                        "number",
                        "5",
                        "empty",
                        "",
                        "user_c",
                        ";"));
    }

    @Test
    void aFileHasSectionsWithModules() throws Exception {
        Map<String, List<Jaas.Module>> sections = Jaas.sections("""
                KafkaServer {
                  a.Plain required user_alice="x";
                  a.Scram optional username="b";
                };
                outside.KafkaServer { a.Plain REQUIRED; };
                """);

        assertThat(sections.keySet()).containsExactly("KafkaServer", "outside.KafkaServer");
        assertThat(sections.get("KafkaServer"))
                .extracting(Jaas.Module::className)
                .containsExactly("a.Plain", "a.Scram");
        assertThat(sections.get("outside.KafkaServer"))
                .allMatch(module -> module.options().isEmpty());
        assertThat(Jaas.sections("  // nothing")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "secret",
                "a.B required",
                "a.B secret user=\"x\";",
                "a.B required user;",
                "a.B required user=\"secret;",
                "a.B required user=\"x\"",
                "a.B required; c.D required;",
            })
    void aValueThatIsNoModuleIsRefusedWithoutASecret(String text) {
        assertThatThrownBy(() -> Jaas.module(text))
                .isInstanceOf(Jaas.JaasException.class)
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"KafkaServer", "KafkaServer {", "KafkaServer { a.B required; }", "{ };x"})
    void aFileThatIsNotCompleteIsRefused(String text) {
        assertThatThrownBy(() -> Jaas.sections(text)).isInstanceOf(Jaas.JaasException.class);
    }
}
