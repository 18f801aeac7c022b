package io.rivulet.broker.console;

import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.http.HttpProblem;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields that a request for a change carries. Immutable. */
record Form(Map<String, List<String>> fields) {
    static Form of(HttpExchange exchange) {
        return new Form(exchange.form());
    }

    @Nullable
    String optional(String name) {
        List<String> values = fields.get(name);
        return values == null ? null : values.get(0);
    }

    /** @throws HttpProblem if it is not there */
    String required(String name) {
        String value = optional(name);
        if (value == null || value.isEmpty()) {
            throw HttpProblem.badRequest(name + " is missing");
        }
        return value;
    }

    List<String> all(String name) {
        return fields.getOrDefault(name, List.of());
    }

    /** @throws HttpProblem if the field is not a number from 0 to the limit */
    long number(String name, long most) {
        try {
            long number = Long.parseLong(required(name));
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // As if it were outside the limits.
        }
        throw HttpProblem.badRequest(name + " must be a number from 0 to " + most);
    }

    /** The bytes of a text, or of base64 if the field NAME64 has them; null if there is neither. */
    byte @Nullable [] bytes(String name) {
        String text = optional(name);
        String base64 = optional(name + "64");
        if (base64 == null) {
            return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(name + " is not base64");
        }
    }
}
