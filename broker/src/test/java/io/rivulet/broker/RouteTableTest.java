package io.rivulet.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.call.TestRoutes;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsResponse.ApiVersion;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The routes of a broker: one row for each API. */
class RouteTableTest {
    /** Key, place, lane, and the error for clients when the thread is behind. */
    private static final String EXPECTED = """
            PRODUCE EVENT_LOOP WRITES
            FETCH EVENT_LOOP ALONE
            LIST_OFFSETS EVENT_LOOP_OR_READER ALONE
            METADATA EVENT_LOOP_OR_READER ALONE
            OFFSET_COMMIT COORDINATOR_THREAD WRITES COORDINATOR_LOAD_IN_PROGRESS
            OFFSET_FETCH COORDINATOR_THREAD ALONE COORDINATOR_LOAD_IN_PROGRESS
            FIND_COORDINATOR EVENT_LOOP_OR_READER ALONE
            JOIN_GROUP COORDINATOR_THREAD WRITES COORDINATOR_LOAD_IN_PROGRESS
            HEARTBEAT COORDINATOR_THREAD WRITES NONE
            LEAVE_GROUP COORDINATOR_THREAD WRITES COORDINATOR_LOAD_IN_PROGRESS
            SYNC_GROUP COORDINATOR_THREAD WRITES REBALANCE_IN_PROGRESS
            DESCRIBE_GROUPS COORDINATOR_THREAD ALONE COORDINATOR_LOAD_IN_PROGRESS
            LIST_GROUPS COORDINATOR_THREAD ALONE COORDINATOR_LOAD_IN_PROGRESS
            SASL_HANDSHAKE EVENT_LOOP ALONE
            API_VERSIONS EVENT_LOOP_OR_READER ALONE
            CREATE_TOPICS EVENT_LOOP_OR_READER ALONE
            DELETE_TOPICS EVENT_LOOP_OR_READER ALONE
            DELETE_RECORDS EVENT_LOOP_OR_READER ALONE
            INIT_PRODUCER_ID COORDINATOR_THREAD TRANSACTIONS COORDINATOR_LOAD_IN_PROGRESS
            OFFSET_FOR_LEADER_EPOCH EVENT_LOOP_OR_READER ALONE
            ADD_PARTITIONS_TO_TXN COORDINATOR_THREAD TRANSACTIONS COORDINATOR_LOAD_IN_PROGRESS
            ADD_OFFSETS_TO_TXN COORDINATOR_THREAD TRANSACTIONS COORDINATOR_LOAD_IN_PROGRESS
            END_TXN COORDINATOR_THREAD TRANSACTIONS COORDINATOR_LOAD_IN_PROGRESS
            WRITE_TXN_MARKERS COORDINATOR_THREAD TRANSACTIONS COORDINATOR_LOAD_IN_PROGRESS
            TXN_OFFSET_COMMIT COORDINATOR_THREAD WRITES COORDINATOR_LOAD_IN_PROGRESS
            DESCRIBE_ACLS EVENT_LOOP_OR_READER ALONE
            CREATE_ACLS EVENT_LOOP_OR_READER ALONE
            DELETE_ACLS EVENT_LOOP_OR_READER ALONE
            DESCRIBE_CONFIGS EVENT_LOOP_OR_READER ALONE
            ALTER_CONFIGS EVENT_LOOP_OR_READER ALONE
            ALTER_REPLICA_LOG_DIRS EVENT_LOOP_OR_READER ALONE
            DESCRIBE_LOG_DIRS EVENT_LOOP_OR_READER ALONE
            SASL_AUTHENTICATE EVENT_LOOP ALONE
            CREATE_PARTITIONS EVENT_LOOP_OR_READER ALONE
            CREATE_DELEGATION_TOKEN EVENT_LOOP_OR_READER ALONE
            RENEW_DELEGATION_TOKEN EVENT_LOOP_OR_READER ALONE
            EXPIRE_DELEGATION_TOKEN EVENT_LOOP_OR_READER ALONE
            DESCRIBE_DELEGATION_TOKEN EVENT_LOOP_OR_READER ALONE
            DELETE_GROUPS COORDINATOR_THREAD ALONE COORDINATOR_LOAD_IN_PROGRESS
            ELECT_LEADERS EVENT_LOOP_OR_READER ALONE
            INCREMENTAL_ALTER_CONFIGS EVENT_LOOP_OR_READER ALONE
            ALTER_PARTITION_REASSIGNMENTS EVENT_LOOP_OR_READER ALONE
            LIST_PARTITION_REASSIGNMENTS EVENT_LOOP_OR_READER ALONE
            OFFSET_DELETE COORDINATOR_THREAD ALONE COORDINATOR_LOAD_IN_PROGRESS
            DESCRIBE_CLIENT_QUOTAS EVENT_LOOP_OR_READER ALONE
            ALTER_CLIENT_QUOTAS EVENT_LOOP_OR_READER ALONE
            DESCRIBE_USER_SCRAM_CREDENTIALS EVENT_LOOP_OR_READER ALONE
            ALTER_USER_SCRAM_CREDENTIALS EVENT_LOOP_OR_READER ALONE
            DESCRIBE_QUORUM EVENT_LOOP_OR_READER ALONE
            UPDATE_FEATURES EVENT_LOOP_OR_READER ALONE
            DESCRIBE_CLUSTER EVENT_LOOP_OR_READER ALONE
            DESCRIBE_PRODUCERS EVENT_LOOP_OR_READER ALONE
            UNREGISTER_BROKER EVENT_LOOP_OR_READER ALONE
            DESCRIBE_TRANSACTIONS COORDINATOR_THREAD ALONE COORDINATOR_LOAD_IN_PROGRESS
            LIST_TRANSACTIONS COORDINATOR_THREAD ALONE COORDINATOR_LOAD_IN_PROGRESS
            CONSUMER_GROUP_HEARTBEAT COORDINATOR_THREAD WRITES COORDINATOR_LOAD_IN_PROGRESS
            CONSUMER_GROUP_DESCRIBE COORDINATOR_THREAD ALONE COORDINATOR_LOAD_IN_PROGRESS
            LIST_CONFIG_RESOURCES EVENT_LOOP_OR_READER ALONE
            DESCRIBE_TOPIC_PARTITIONS EVENT_LOOP_OR_READER ALONE
            SHARE_GROUP_HEARTBEAT COORDINATOR_THREAD WRITES COORDINATOR_LOAD_IN_PROGRESS
            SHARE_GROUP_DESCRIBE COORDINATOR_THREAD ALONE COORDINATOR_LOAD_IN_PROGRESS
            SHARE_FETCH EVENT_LOOP ALONE
            SHARE_ACKNOWLEDGE EVENT_LOOP_OR_READER ALONE
            ADD_RAFT_VOTER EVENT_LOOP_OR_READER ALONE
            REMOVE_RAFT_VOTER EVENT_LOOP_OR_READER ALONE
            DESCRIBE_SHARE_GROUP_OFFSETS COORDINATOR_THREAD ALONE COORDINATOR_LOAD_IN_PROGRESS
            ALTER_SHARE_GROUP_OFFSETS COORDINATOR_THREAD ALONE COORDINATOR_LOAD_IN_PROGRESS
            DELETE_SHARE_GROUP_OFFSETS COORDINATOR_THREAD ALONE COORDINATOR_LOAD_IN_PROGRESS
            """;

    @RegisterExtension
    final TestBroker broker = new TestBroker();

    private RouteTable table;

    @BeforeEach
    void readTable() {
        table = broker.routes();
    }

    private List<Route> routes() {
        return table.advertised().stream()
                .map(version -> Objects.requireNonNull(table.find(version.apiKey(), version.maxVersion())))
                .toList();
    }

    @Test
    void eachApiHasItsRow() {
        StringBuilder rows = new StringBuilder();
        for (Route route : routes()) {
            rows.append(route.key()).append(' ').append(route.place());
            rows.append(' ').append(route.lane());
            boolean waits = route.place() == Route.Place.COORDINATOR_THREAD;
            rows.append(waits ? " " + route.busyError() : "").append('\n');
        }
        assertThat(rows.toString()).isEqualTo(EXPECTED);
    }

    @Test
    void whatWaitsForTheThreadOfTheGroupsCanBeRefused() {
        assertThat(routes())
                .filteredOn(route -> route.place() == Route.Place.COORDINATOR_THREAD)
                .allMatch(Route::isRefusable);
    }

    @Test
    void onlyProduceKeepsItsFrame() {
        assertThat(routes().stream().filter(Route::keepsFrame).map(Route::key)).containsExactly(ApiKey.PRODUCE);
    }

    @Test
    void advertisedVersionsAreServed() {
        for (ApiVersion version : table.advertised()) {
            if (version.apiKey() != ApiKey.PRODUCE.id()) {
                assertThat(table.find(version.apiKey(), version.minVersion())).isNotNull();
                assertThat(table.find(version.apiKey(), (short) (version.minVersion() - 1)))
                        .isNull();
            }
            assertThat(table.find(version.apiKey(), version.maxVersion())).isNotNull();
            assertThat(table.find(version.apiKey(), (short) (version.maxVersion() + 1)))
                    .isNull();
        }
    }

    @Test
    void theLowestAdvertisedVersionOfProduceIsNotServed() {
        assertThat(table.advertised().get(0).minVersion()).isZero();
        assertThat(table.find(ApiKey.PRODUCE.id(), (short) 0)).isNull();
        assertThat(table.find(ApiKey.PRODUCE.id(), ApiKey.PRODUCE.lowestVersion()))
                .isNotNull();
    }

    @Test
    void anApiWithoutARouteIsNotServed() {
        RouteTable fetchOnly = TestRoutes.table(ApiKey.FETCH);
        assertThat(fetchOnly.find(ApiKey.PRODUCE.id(), ApiKey.PRODUCE.highestVersion()))
                .isNull();
        assertThat(fetchOnly.find((short) 4711, (short) 0)).isNull();
    }

    @Test
    void anApiHasOneRoute() {
        assertThatThrownBy(() -> TestRoutes.table(ApiKey.FETCH, ApiKey.FETCH))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("FETCH");
    }
}
