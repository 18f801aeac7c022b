package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.EPOCHS_RISE;
import static io.rivulet.simulation.Promise.NOTHING_ELSE;
import static io.rivulet.simulation.Promise.NOTHING_TWICE;
import static io.rivulet.simulation.Promise.OFFSETS_STAY;
import static io.rivulet.simulation.Promise.RECORDS_STAY;
import static io.rivulet.simulation.Promise.SETTINGS_STAY;
import static io.rivulet.simulation.Promise.SHARES_STAY;
import static io.rivulet.simulation.Promise.STARTS_AND_WORKS;
import static io.rivulet.simulation.Promise.TOPICS_STAY;
import static io.rivulet.simulation.Promise.TRANSACTIONS_ARE_WHOLE;
import static io.rivulet.simulation.Promise.WHAT_WAS_READ_STAYS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.acl.Rules;
import io.rivulet.broker.dynamic.ResourceConfigs;
import io.rivulet.broker.producer.ProducerIds;
import io.rivulet.broker.quota.QuotaRules;
import io.rivulet.broker.sasl.ScramUsers;
import io.rivulet.broker.share.ShareGroups;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.txn.Transactions;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation finds each of these bugs of a broker. */
final class BrokerSeededBugsTest {
    private static final int MAX_SEEDS = 400;
    private static final int LIVES = 6;
    private static final int GROUPS = 3;

    /** A bug, and the promises that it may break first. */
    enum Bug {
        ADMITS_EVERY_BATCH(Bugs::admitsEveryBatch, NOTHING_TWICE, RECORDS_STAY),
        GATE_FORGETS_AT_A_CHECKPOINT(
                Bugs::gateForgetsAtACheckpoint, NOTHING_TWICE, RECORDS_STAY, TRANSACTIONS_ARE_WHOLE),
        GATE_SEES_NO_BATCH_IN_A_REPLAY(
                Bugs::gateSeesNoBatchInAReplay, NOTHING_TWICE, RECORDS_STAY, TRANSACTIONS_ARE_WHOLE, STARTS_AND_WORKS),
        DOES_NOT_FORCE_THE_LOG(
                Bugs::doesNotForceTheLog,
                RECORDS_STAY,
                WHAT_WAS_READ_STAYS,
                OFFSETS_STAY,
                SHARES_STAY,
                EPOCHS_RISE,
                TOPICS_STAY,
                TRANSACTIONS_ARE_WHOLE,
                STARTS_AND_WORKS),
        TOPICS_FORGET_AT_A_CHECKPOINT(
                () -> Bugs.forgetsAtACheckpoint(TopicCatalogue.VIEW_ID), TOPICS_STAY, STARTS_AND_WORKS),
        PRODUCER_IDS_FORGET_AT_A_CHECKPOINT(() -> Bugs.forgetsAtACheckpoint(ProducerIds.VIEW_ID), EPOCHS_RISE),
        GROUPS_FORGET_AT_A_CHECKPOINT(
                () -> Bugs.forgetsAtACheckpoint(GROUPS), OFFSETS_STAY, EPOCHS_RISE, TRANSACTIONS_ARE_WHOLE),
        TRANSACTIONS_FORGET_AT_A_CHECKPOINT(
                () -> Bugs.forgetsAtACheckpoint(Transactions.VIEW_ID),
                TRANSACTIONS_ARE_WHOLE,
                EPOCHS_RISE,
                RECORDS_STAY,
                STARTS_AND_WORKS,
                NOTHING_ELSE),
        SHARES_FORGET_AT_A_CHECKPOINT(() -> Bugs.forgetsAtACheckpoint(ShareGroups.VIEW_ID), SHARES_STAY),
        TOPICS_LOSE_ENTRIES_IN_A_REPLAY(
                () -> Bugs.losesEntriesInAReplay(TopicCatalogue.VIEW_ID), TOPICS_STAY, STARTS_AND_WORKS),
        GROUPS_LOSE_ENTRIES_IN_A_REPLAY(
                () -> Bugs.losesEntriesInAReplay(GROUPS),
                OFFSETS_STAY,
                EPOCHS_RISE,
                TRANSACTIONS_ARE_WHOLE,
                STARTS_AND_WORKS),
        TRANSACTIONS_LOSE_ENTRIES_IN_A_REPLAY(
                () -> Bugs.losesEntriesInAReplay(Transactions.VIEW_ID),
                TRANSACTIONS_ARE_WHOLE,
                EPOCHS_RISE,
                RECORDS_STAY,
                STARTS_AND_WORKS),
        SHARES_LOSE_ENTRIES_IN_A_REPLAY(() -> Bugs.losesEntriesInAReplay(ShareGroups.VIEW_ID), SHARES_STAY),
        OFFSETS_ARE_ANSWERED_BEFORE_THE_ENTRY(
                () -> Bugs.answersBeforeTheEntry(GROUPS), OFFSETS_STAY, EPOCHS_RISE, STARTS_AND_WORKS),
        PRODUCER_IDS_LOSE_ENTRIES_IN_A_REPLAY(() -> Bugs.losesEntriesInAReplay(ProducerIds.VIEW_ID, 2), EPOCHS_RISE),
        PRODUCER_IDS_ARE_ANSWERED_BEFORE_THE_ENTRY(
                () -> Bugs.answersBeforeTheEntry(ProducerIds.VIEW_ID), EPOCHS_RISE, STARTS_AND_WORKS),
        LOSES_HUGE_BATCHES(
                Bugs::doesNotForceHugeBatches,
                RECORDS_STAY,
                WHAT_WAS_READ_STAYS,
                TOPICS_STAY,
                TRANSACTIONS_ARE_WHOLE,
                STARTS_AND_WORKS),
        USERS_FORGET_AT_A_CHECKPOINT(() -> Bugs.forgetsAtACheckpoint(ScramUsers.VIEW_ID), SETTINGS_STAY),
        USERS_LOSE_ENTRIES_IN_A_REPLAY(
                () -> Bugs.losesEntriesInAReplay(ScramUsers.VIEW_ID), SETTINGS_STAY, STARTS_AND_WORKS),
        USERS_ARE_ANSWERED_BEFORE_THE_ENTRY(
                () -> Bugs.answersBeforeTheEntry(ScramUsers.VIEW_ID), SETTINGS_STAY, STARTS_AND_WORKS),
        RULES_FORGET_AT_A_CHECKPOINT(() -> Bugs.forgetsAtACheckpoint(Rules.VIEW_ID), SETTINGS_STAY),
        RULES_LOSE_ENTRIES_IN_A_REPLAY(
                () -> Bugs.losesEntriesInAReplay(Rules.VIEW_ID), SETTINGS_STAY, STARTS_AND_WORKS),
        RULES_ARE_ANSWERED_BEFORE_THE_ENTRY(
                () -> Bugs.answersBeforeTheEntry(Rules.VIEW_ID), SETTINGS_STAY, STARTS_AND_WORKS),
        QUOTAS_FORGET_AT_A_CHECKPOINT(() -> Bugs.forgetsAtACheckpoint(QuotaRules.VIEW_ID), SETTINGS_STAY),
        QUOTAS_LOSE_ENTRIES_IN_A_REPLAY(
                () -> Bugs.losesEntriesInAReplay(QuotaRules.VIEW_ID), SETTINGS_STAY, STARTS_AND_WORKS),
        QUOTAS_ARE_ANSWERED_BEFORE_THE_ENTRY(
                () -> Bugs.answersBeforeTheEntry(QuotaRules.VIEW_ID), SETTINGS_STAY, STARTS_AND_WORKS),
        CONFIGS_FORGET_AT_A_CHECKPOINT(
                () -> Bugs.forgetsAtACheckpoint(ResourceConfigs.VIEW_ID), SETTINGS_STAY, SHARES_STAY),
        CONFIGS_LOSE_ENTRIES_IN_A_REPLAY(
                () -> Bugs.losesEntriesInAReplay(ResourceConfigs.VIEW_ID),
                SETTINGS_STAY,
                STARTS_AND_WORKS,
                SHARES_STAY),
        CONFIGS_ARE_ANSWERED_BEFORE_THE_ENTRY(
                () -> Bugs.answersBeforeTheEntry(ResourceConfigs.VIEW_ID),
                SETTINGS_STAY,
                STARTS_AND_WORKS,
                SHARES_STAY),
        SHARES_ARE_ANSWERED_BEFORE_THE_ENTRY(
                () -> Bugs.answersBeforeTheEntry(ShareGroups.VIEW_ID), SHARES_STAY, STARTS_AND_WORKS);

        @SuppressWarnings("ImmutableEnumChecker") // the suppliers have no state
        private final Supplier<Tampering> made;

        @SuppressWarnings("ImmutableEnumChecker") // Set.of makes it
        private final Set<Promise> broken;

        Bug(Supplier<Tampering> made, Promise... broken) {
            this.made = made;
            this.broken = Set.of(broken);
        }
    }

    @ParameterizedTest
    @EnumSource(Bug.class)
    void isFound(Bug bug) {
        BrokenPromise found = find(bug);

        assertThat(found).as("%s within %d seeds", bug, MAX_SEEDS).isNotNull();
        if (found != null) {
            assertThat(found.promise()).as(found.getMessage()).isIn(bug.broken);
        }
    }

    static @Nullable BrokenPromise find(Bug bug) {
        for (long seed = 0; seed < MAX_SEEDS; seed++) {
            try {
                new BrokerSimulation(seed, bug.made.get()).run(LIVES);
            } catch (BrokenPromise e) {
                return e;
            }
        }
        return null;
    }
}
