package io.rivulet.broker.group;

import static io.rivulet.broker.group.GroupCalls.V9;
import static io.rivulet.broker.group.GroupCalls.codes;
import static io.rivulet.broker.group.GroupCalls.commit;
import static io.rivulet.broker.group.GroupCalls.commitAs;
import static io.rivulet.broker.group.GroupCalls.fetch;
import static io.rivulet.broker.group.GroupCalls.fetched;
import static io.rivulet.broker.group.GroupCalls.stableGroup;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.OffsetCommitResponse;
import io.rivulet.protocol.wire.Uuid;
import org.junit.jupiter.api.Test;

/** Expiry of offsets and groups. */
final class GroupExpiryTest {
    private final InPlace broker = new InPlace();
    private final Uuid topic = broker.createTopic("t", 4);

    @Test
    void offsetsExpireAfterTheLastMemberHasLeft() {
        JoinGroupResponse member = stableGroup(broker, "g", "t");
        commitAs(broker, "g", member.memberId(), member.generationId(), V9);
        broker.allDurable();
        broker.beginExpiry();
        broker.advance(InPlace.SETTINGS.offsetsRetentionMillis() * 1_000_000 - 1);
        broker.allDurable();
        assertThat(fetched(broker, "g", "t", 0)).isEqualTo(9);

        broker.advance(100_000L * 1_000_000); // its session had ended after 10 s
        broker.allDurable();

        assertThat(broker.groupCount()).isZero();
        assertThat(broker.restarted(InPlace.SETTINGS).groupCount()).isZero();
    }

    @Test
    void offsetsOfAGroupThatNeverHadMembersExpireByAge() {
        commit(broker, "simple", "t", 0, 1);
        broker.allDurable();
        broker.beginExpiry();
        broker.advance(InPlace.SETTINGS.offsetsRetentionMillis() * 1_000_000 / 2);
        commit(broker, "simple", "t", 1, 2);
        broker.allDurable();

        broker.advance(InPlace.SETTINGS.offsetsRetentionMillis() * 1_000_000 / 2 + 20_000L * 1_000_000);
        broker.allDurable();

        assertThat(fetched(broker, "simple", "t", 0)).isEqualTo(-1);
        assertThat(fetched(broker, "simple", "t", 1)).isEqualTo(2);
    }

    @Test
    void offsetsWithATimeInTheFutureExpireWhenTheClockIsSetBack() {
        long retentionMillis = InPlace.SETTINGS.offsetsRetentionMillis();
        broker.shiftClock(100 * retentionMillis);
        commit(broker, "simple", "t", 0, 1);
        JoinGroupResponse member = stableGroup(broker, "g", "t");
        commitAs(broker, "g", member.memberId(), member.generationId(), V9);
        broker.allDurable();
        broker.advance(60_000L * 1_000_000); // its session ends
        broker.allDurable();
        broker.shiftClock(0);
        broker.beginExpiry();

        broker.advance(retentionMillis * 1_000_000);
        broker.allDurable();
        assertThat(fetched(broker, "simple", "t", 0)).isEqualTo(1);
        assertThat(fetched(broker, "g", "t", 0)).isEqualTo(9);

        broker.advance(2 * InPlace.SETTINGS.expiryIntervalMillis() * 1_000_000);
        broker.allDurable();
        assertThat(broker.groupCount()).isZero();
    }

    @Test
    void aGroupWithACommitInFlightDoesNotExpire() {
        commit(broker, "simple", "t", 0, 1);
        broker.allDurable();
        broker.beginExpiry();
        broker.advance(InPlace.SETTINGS.offsetsRetentionMillis() * 1_000_000 - 1_000_000);
        GroupCalls.Answer<OffsetCommitResponse> answer = commit(broker, "simple", "t", 0, 2);
        broker.advance(30_000L * 1_000_000); // rounds of expiry while the entry is in flight
        broker.allDurable();
        broker.advance(10_000L * 1_000_000);
        broker.allDurable();

        assertThat(codes(answer)).containsOnly(ErrorCode.NONE.code());
        assertThat(fetched(broker, "simple", "t", 0)).isEqualTo(2);
    }

    @Test
    void anOffsetWithARetentionTimeExpiresByThatTime() {
        InPlace place = broker;
        long retentionMillis = InPlace.SETTINGS.offsetsRetentionMillis();
        commitFor(place, 0, 20_000);
        commitFor(place, 1, 2 * retentionMillis);
        commitFor(place, 2, 20_000);
        commitFor(place, 2, -1);
        place.allDurable();
        assertThat(place.reloaded().dump()).isEqualTo(place.dump());
        place = place.restarted(InPlace.SETTINGS);
        place.beginExpiry();
        place.advance(31_000L * 1_000_000);
        place.allDurable();
        assertThat(fetched(place, "simple", "t", 0)).isEqualTo(-1);
        assertThat(fetched(place, "simple", "t", 1)).isEqualTo(7);
        assertThat(fetched(place, "simple", "t", 2)).isEqualTo(7);

        place.advance((retentionMillis + 31_000L) * 1_000_000);
        place.allDurable();
        assertThat(fetched(place, "simple", "t", 1))
                .as("longer than the broker keeps others")
                .isEqualTo(7);
        assertThat(fetched(place, "simple", "t", 2)).isEqualTo(-1);

        place.advance(retentionMillis * 1_000_000);
        place.allDurable();
        assertThat(place.groupCount()).isZero();
    }

    private static void commitFor(InPlace place, int partition, long retentionMillis) {
        place.offsets.commit(
                GroupCalls.request("simple", "t", partition, 7).retentionTimeMs(retentionMillis),
                (short) 4,
                response -> {});
    }

    @Test
    void offsetsOfADeletedTopicAreRemovedAndDoNotReturnWithItsName() {
        commit(broker, "simple", "t", 0, 1);
        broker.createTopic("kept", 1);
        commit(broker, "simple", "kept", 0, 3);
        broker.allDurable();
        broker.beginExpiry();

        broker.deleteTopic(topic);
        assertThat(fetch(broker, "simple", null, V9)).hasSize(1);
        broker.createTopic("t", 4);

        assertThat(fetched(broker, "simple", "t", 0)).isEqualTo(-1);
        broker.advance(11_000L * 1_000_000);
        broker.allDurable();
        assertThat(broker.dump()).doesNotContain(topic.toString());
        assertThat(fetched(broker, "simple", "kept", 0)).isEqualTo(3);
    }
}
