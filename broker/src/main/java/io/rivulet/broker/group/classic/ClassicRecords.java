package io.rivulet.broker.group.classic;

import io.rivulet.protocol.message.GroupMetadataValue;
import io.rivulet.protocol.message.GroupMetadataValue.MemberMetadata;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Classic groups as Kafka's records. Stateless. */
public final class ClassicRecords {
    private ClassicRecords() {}

    /** @param bytes an encoded {@link ClassicImage}, from position to limit */
    public static GroupMetadataValue metadata(ByteBuffer bytes) {
        ClassicImage image = ClassicImage.decoded(bytes);
        String protocol = image.protocol();
        List<MemberMetadata> members = new ArrayList<>(image.members().size());
        for (ClassicMember member : image.members()) {
            members.add(new MemberMetadata()
                    .memberId(member.id)
                    .groupInstanceId(member.instanceId)
                    .clientId(member.clientId)
                    .clientHost(member.clientHost)
                    .rebalanceTimeout(member.rebalanceTimeoutMillis)
                    .sessionTimeout(member.sessionTimeoutMillis)
                    .subscription(member.metadata(protocol))
                    .assignment(member.assignment));
        }
        return new GroupMetadataValue()
                .protocolType(image.protocolType())
                .generation(image.generation())
                .protocol(protocol)
                .leader(image.leader())
                .currentStateTimestamp(image.sinceMillis())
                .members(members);
    }
}
