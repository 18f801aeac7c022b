package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.SETTINGS_STAY;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreateAclsRequest;
import io.rivulet.protocol.message.CreateAclsRequest.AclCreation;
import io.rivulet.protocol.message.CreateAclsResponse;
import io.rivulet.protocol.message.DeleteAclsRequest;
import io.rivulet.protocol.message.DeleteAclsRequest.DeleteAclsFilter;
import io.rivulet.protocol.message.DeleteAclsResponse;
import io.rivulet.protocol.message.DescribeAclsRequest;
import io.rivulet.protocol.message.DescribeAclsResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Rules of access. The number is that of rules on a topic. */
final class AccessRules extends Settings {
    private static final String PRINCIPAL = "User:somebody";
    private static final byte ANY = 1;
    private static final byte TOPIC = 2;
    private static final byte LITERAL = 3;
    private static final byte READ = 3;
    private static final byte ALLOW = 3;

    AccessRules(World world, String name) {
        super(world, name);
    }

    @Override
    void change(ClientConnection to, String topic, @Nullable Long value, Consumer<@Nullable Short> answered) {
        if (value == null) {
            DeleteAclsRequest request = new DeleteAclsRequest()
                    .filters(List.of(new DeleteAclsFilter()
                            .resourceTypeFilter(TOPIC)
                            .resourceNameFilter(topic)
                            .patternTypeFilter(ANY)
                            .principalFilter(null)
                            .hostFilter(null)
                            .operation(ANY)
                            .permissionType(ANY)));
            to.ask(
                    ApiKey.DELETE_ACLS,
                    3,
                    request,
                    DeleteAclsResponse.class,
                    answer -> answered.accept(
                            answer == null
                                    ? null
                                    : answer.filterResults().get(0).errorCode()));
        } else {
            CreateAclsRequest request = new CreateAclsRequest()
                    .creations(List.of(new AclCreation()
                            .resourceType(TOPIC)
                            .resourceName(topic)
                            .resourcePatternType(LITERAL)
                            .principal(PRINCIPAL)
                            .host("10.0.0." + value)
                            .operation(READ)
                            .permissionType(ALLOW)));
            to.ask(
                    ApiKey.CREATE_ACLS,
                    3,
                    request,
                    CreateAclsResponse.class,
                    answer -> answered.accept(
                            answer == null ? null : answer.results().get(0).errorCode()));
        }
    }

    /** Rules are added one by one, and removed together. */
    @Override
    Long next(@Nullable Long before) {
        return before == null ? 1 : before + 1;
    }

    @Override
    Map<String, Long> read(Asking asking) {
        DescribeAclsResponse answer = asking.ask(
                ApiKey.DESCRIBE_ACLS,
                3,
                new DescribeAclsRequest()
                        .resourceTypeFilter(ANY)
                        .resourceNameFilter(null)
                        .patternTypeFilter(ANY)
                        .principalFilter(null)
                        .hostFilter(null)
                        .operation(ANY)
                        .permissionType(ANY),
                DescribeAclsResponse.class);
        SETTINGS_STAY.require(answer.errorCode() == 0, "%s: error %s", name, answer.errorCode());
        Map<String, Long> found = new TreeMap<>();
        answer.resources()
                .forEach(on -> found.put(on.resourceName(), (long) on.acls().size()));
        return found;
    }
}
