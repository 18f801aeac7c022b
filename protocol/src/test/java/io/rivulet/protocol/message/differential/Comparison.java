package io.rivulet.protocol.message.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.protocol.generator.schema.MessageSpec;
import java.util.Map;

/** Builds one message in both libraries, lets each library read the bytes of the other, and compares all fields. */
final class Comparison {
    private final Library ours;
    private final Library theirs;

    Comparison(Library ours, Library theirs) {
        this.ours = ours;
        this.theirs = theirs;
    }

    void check(MessageSpec message, int version, Map<String, Object> tree) {
        String what = message.name() + " version " + version;
        Object ourMessage = ours.build(message, tree);
        Object theirMessage = theirs.build(message, tree);
        Map<String, Object> expected = theirs.tree(message, theirMessage);
        assertThat(ours.tree(message, ourMessage)).as("%s as built", what).isEqualTo(expected);

        byte[] ourBytes = ours.write(ourMessage, version);
        byte[] theirBytes = theirs.write(theirMessage, version);
        assertThat(ourBytes).as("%s as written", what).isEqualTo(theirBytes);
        assertThat(ours.sizeInBytes(ourMessage, version)).as("%s size", what).isEqualTo(ourBytes.length);

        Object ourRead = ours.read(message, theirBytes, version);
        Object theirRead = theirs.read(message, ourBytes, version);
        assertThat(ours.tree(message, ourRead))
                .as("%s, theirs read by ours", what)
                .isEqualTo(expected);
        assertThat(theirs.tree(message, theirRead))
                .as("%s, ours read by theirs", what)
                .isEqualTo(expected);
        assertThat(ourRead).as("%s equals", what).isEqualTo(ourMessage).hasSameHashCodeAs(ourMessage);
    }
}
