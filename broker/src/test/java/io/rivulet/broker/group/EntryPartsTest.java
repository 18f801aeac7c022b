package io.rivulet.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.classic.JoinCall;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.LeaveGroupRequest;
import io.rivulet.protocol.message.LeaveGroupRequest.MemberIdentity;
import io.rivulet.protocol.message.ListGroupsRequest;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.message.SyncGroupRequest.SyncGroupRequestAssignment;
import io.rivulet.protocol.message.SyncGroupResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class EntryPartsTest {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());
    private static final int LONG_BYTES = 7 << 20;

    private final InPlace place = new InPlace();
    private final List<JoinGroupResponse> joins = new ArrayList<>();
    private final List<SyncGroupResponse> syncs = new ArrayList<>();

    @Test
    void anySnapshotAndAnyReplayGiveTheSameState() {
        Random random = new Random(SEED);
        List<ByteBuffer> log = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            byte[] image = new byte[1 + random.nextInt(20)];
            random.nextBytes(image);
            addParts(
                    random,
                    GroupEntryLayout.image(GroupEntryLayout.GROUP, "g", ByteBuffer.wrap(image)),
                    random.nextInt(4) == 0,
                    log);
        }
        String expected = applied(new InPlace(), log, 0).dump();

        for (int taken = 0; taken <= log.size(); taken++) {
            for (int from = 0; from <= taken; from++) {
                InPlace loaded =
                        applied(new InPlace(), log.subList(0, taken), 0).reloaded();
                assertThat(applied(loaded, log, from).dump())
                        .as("seed %d, snapshot after %d, replay from %d", SEED, taken, from)
                        .isEqualTo(expected);
            }
        }
    }

    /** @param incomplete whether the last part is missing */
    private static void addParts(Random random, ByteBuffer entry, boolean incomplete, List<ByteBuffer> log) {
        int checksum = EntryParts.checksum(entry);
        int length = entry.remaining();
        for (int where = 0; where < length; ) {
            int bytes = 1 + random.nextInt(Math.min(8, length - where));
            if (!incomplete || where + bytes < length) {
                log.add(GroupEntryLayout.part("g", length, checksum, where, entry.slice(where, bytes)));
            }
            where += bytes;
        }
    }

    private static InPlace applied(InPlace to, List<ByteBuffer> log, int from) {
        log.subList(from, log.size()).forEach(entry -> to.table.apply(entry.duplicate()));
        return to;
    }

    @Test
    void aLongImageIsAppliedWithItsLastPart() {
        String member = joinAndSync(LONG_BYTES);

        for (int i = 0; i < 2; i++) {
            assertThat(place.appendsUnderWay()).isEqualTo(1);
            place.oneDurable();
            assertThat(syncs).isEmpty();
            assertThat(place.restarted(InPlace.SETTINGS).groupCount()).isZero();
        }
        place.oneDurable();

        assertThat(place.appendsUnderWay()).isZero();
        assertThat(syncs).hasSize(1);
        assertThat(syncs.get(0).assignment()).hasSize(LONG_BYTES);
        InPlace restarted = place.restarted(InPlace.SETTINGS);
        assertThat(restarted.dump()).contains("g=").isEqualTo(place.dump());
        assertThat(restarted.reloaded().dump()).isEqualTo(place.dump());
        assertThat(place.log).allSatisfy(entry -> assertThat(entry).hasSizeLessThan(4 << 20));
        assertThat(member).isNotEmpty();
    }

    @Test
    void entriesAboutTheGroupWaitForTheLastPart() {
        String member = joinAndSync(LONG_BYTES);
        place.oneDurable();

        place.groups.leave(
                new LeaveGroupRequest().groupId("g").members(List.of(new MemberIdentity().memberId(member))),
                (short) 3);
        place.advance(TimeUnit.SECONDS.toNanos(10));
        assertThat(place.appendsUnderWay()).isEqualTo(1);
        place.allDurable();

        assertThat(stateOf(place)).isEqualTo("Empty");
        assertThat(stateOf(place.restarted(InPlace.SETTINGS))).isEqualTo("Empty");
    }

    @Test
    void aFailedPartEndsTheEntryAndTheNextEntryStartsAnew() {
        String member = joinAndSync(LONG_BYTES);
        place.oneDurable();
        place.oneFails(new RefusedException(ErrorCode.COORDINATOR_NOT_AVAILABLE, "full"));
        assertThat(syncs).hasSize(1);
        assertThat(syncs.get(0).errorCode()).isEqualTo(ErrorCode.COORDINATOR_NOT_AVAILABLE.code());

        join(member);
        sync(member, LONG_BYTES + 1);
        place.allDurable();

        assertThat(syncs).hasSize(2);
        assertThat(syncs.get(1).assignment()).hasSize(LONG_BYTES + 1);
        assertThat(place.restarted(InPlace.SETTINGS).dump()).isEqualTo(place.dump());
    }

    private String joinAndSync(int assignmentBytes) {
        join("");
        place.advance(TimeUnit.SECONDS.toNanos(4));
        String member = joins.get(0).memberId();
        sync(member, assignmentBytes);
        return member;
    }

    private void join(String memberId) {
        JoinGroupRequest request = new JoinGroupRequest()
                .groupId("g")
                .memberId(memberId)
                .sessionTimeoutMs(30_000)
                .rebalanceTimeoutMs(30_000)
                .protocolType("custom")
                .protocols(List.of(new JoinGroupRequestProtocol().name("p")));
        place.groups.join(new JoinCall(request, (short) 3, "client", "host", joins::add));
    }

    private void sync(String memberId, int assignmentBytes) {
        SyncGroupRequest request = new SyncGroupRequest()
                .groupId("g")
                .memberId(memberId)
                .generationId(joins.get(joins.size() - 1).generationId())
                .assignments(List.of(
                        new SyncGroupRequestAssignment().memberId(memberId).assignment(new byte[assignmentBytes])));
        place.groups.sync(request, syncs::add);
    }

    private static String stateOf(InPlace place) {
        return LongQuestions.complete(place.groups.list(new ListGroupsRequest(), Access.UNLIMITED))
                .groups()
                .get(0)
                .groupState();
    }
}
