package io.rivulet.broker.call;

import io.rivulet.protocol.message.ApiKey;
import java.util.Arrays;

/** Routes whose handlers do nothing. */
public final class TestRoutes {
    private TestRoutes() {}

    public static Route of(ApiKey key) {
        return Route.of(key, (call, request) -> {});
    }

    public static RouteTable table(ApiKey... keys) {
        RouteTable table = new RouteTable();
        table.add(Arrays.stream(keys).map(TestRoutes::of).toList());
        return table;
    }
}
