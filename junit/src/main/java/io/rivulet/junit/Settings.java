package io.rivulet.junit;

import java.util.List;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** What an annotation asks for, without its topics and its lifetime. Immutable; equal if a broker can be shared. */
record Settings(List<String> config, boolean tls, List<String> users) {
    static Settings of(Rivulet wanted) {
        return new Settings(List.of(wanted.config()), wanted.tls(), List.of(wanted.users()));
    }

    RivuletBroker start() {
        RivuletBroker.Plan plan = RivuletBroker.inMemoryOrTemp();
        for (String pair : config) {
            int end = separator(pair, '=', "config", "key=value");
            plan.with(pair.substring(0, end).strip(), pair.substring(end + 1).strip());
        }
        if (tls) {
            plan.withTls();
        }
        for (String user : users) {
            int end = separator(user, ':', "users", "name:password");
            plan.withUser(user.substring(0, end), user.substring(end + 1));
        }
        return plan.start();
    }

    private static int separator(String text, char separator, String member, String form) {
        int index = text.indexOf(separator);
        if (index < 1) {
            throw new ExtensionConfigurationException("@Rivulet(" + member + " = \"" + text + "\") is not " + form);
        }
        return index;
    }
}
