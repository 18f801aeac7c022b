package io.rivulet.protocol.message.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.UnsupportedFieldException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;

/** A field that the version does not have is refused exactly when Kafka's classes refuse it, and dropped otherwise. */
class LostFieldsTest {
    private final Library ours = new Ours();
    private final Library theirs = new Theirs();
    private int refused;
    private int carried;

    @Test
    void aValueThatTheVersionCannotCarryIsRefusedExactlyWhereTheClientsRefuseIt() {
        for (MessageSpec message : Schemas.generated()) {
            for (int v = message.root().versions().low();
                    v <= message.root().versions().high();
                    v++) {
                for (LostFields.Case lost : new LostFields(message, v).cases()) {
                    check(message, v, lost);
                }
            }
        }
        Console.print(
                String.format("Lost fields: %d refused by both, %d dropped or carried by both", refused, carried));
        assertThat(refused).isPositive();
        assertThat(carried).isPositive();
    }

    private void check(MessageSpec message, int version, LostFields.Case lost) {
        String what = lost.what() + " in version " + version;
        Object ourMessage = ours.build(message, lost.tree());
        RuntimeException theirFault = fault(() -> theirs.write(theirs.build(message, lost.tree()), version));
        RuntimeException ourFault = fault(() -> ours.write(ourMessage, version));
        if (theirFault == null) {
            assertThat(ourFault).as(what).isNull();
            byte[] theirBytes = theirs.write(theirs.build(message, lost.tree()), version);
            assertThat(ours.write(ourMessage, version)).as(what).isEqualTo(theirBytes);
            carried++;
            return;
        }
        assertThat(theirFault).isInstanceOfAny(UnsupportedVersionException.class, NullPointerException.class);
        assertThat(ourFault).as(what).isInstanceOf(UnsupportedFieldException.class);
        UnsupportedFieldException fault = (UnsupportedFieldException) ourFault;
        assertThat(lost.what()).startsWith(fault.message() + "." + fault.field());
        assertThat(fault.version()).isEqualTo((short) version);
        assertNothingWritten(ourMessage, version);
        refused++;
    }

    private static void assertNothingWritten(Object message, int version) {
        ByteBuf buffer = Unpooled.buffer();
        assertThat(fault(() -> ((Message) message).write(buffer, (short) version)))
                .isNotNull();
        assertThat(buffer.isReadable()).isFalse();
    }

    private static RuntimeException fault(Runnable action) {
        try {
            action.run();
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }
}
