package io.rivulet.broker.metrics;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.metrics.RequestTimes.ApiCalls;
import io.rivulet.protocol.message.ApiKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The series of the APIs that clients have used. Stateless. */
final class RequestSeries {
    private static final List<String> QUANTILES = List.of("0.50", "0.75", "0.95", "0.98", "0.99", "0.999");
    private static final double NANOS_PER_MILLI = 1e6;

    private RequestSeries() {}

    /** What was counted of one API, at one time. */
    private static final class Api {
        private final String name;
        private final ApiCalls calls;
        private final long[] all;
        private final long[] recent;

        Api(String name, ApiCalls calls, long[] all, long[] recent) {
            this.name = name;
            this.calls = calls;
            this.all = all;
            this.recent = recent;
        }

        Api named(String otherName) {
            return new Api(otherName, calls, all, recent);
        }

        long count() {
            return Arrays.stream(all).sum();
        }
    }

    static void write(TextWriter text, RequestTimes times, long nowNanos) {
        List<Api> apis = apis(times, nowNanos);
        text.head(Metric.REQUESTS);
        apis.forEach(api -> text.sample(api.count(), "request", api.name));
        text.head(Metric.REQUEST_ERRORS);
        apis.forEach(api -> writeErrors(text, api));
        text.head(Metric.REQUEST_TIMES);
        apis.forEach(api -> writeTimes(text, api));
        text.head(Metric.REQUEST_SECONDS);
        apis.forEach(api -> writeHistogram(text, api));
    }

    /** By Kafka's names. All fetches are from consumers. */
    private static List<Api> apis(RequestTimes times, long nowNanos) {
        List<Api> apis = new ArrayList<>();
        for (ApiKey key : ApiKey.values()) {
            ApiCalls calls = times.find(key);
            if (calls != null) {
                long[] all = calls.times().counts();
                Api api = new Api(
                        key.facts().apiName(), calls, all, calls.recent().since(all, nowNanos));
                apis.add(api);
                if (key == ApiKey.FETCH) {
                    apis.add(api.named("FetchConsumer"));
                }
            }
        }
        return apis;
    }

    private static void writeErrors(TextWriter text, Api api) {
        api.calls
                .errors()
                .forEach((code, count) -> text.sample(
                        count.get(),
                        "request",
                        api.name,
                        "error",
                        ErrorCode.forCode(code).name()));
    }

    private static void writeTimes(TextWriter text, Api api) {
        if (Arrays.stream(api.recent).sum() > 0) {
            for (String quantile : QUANTILES) {
                long nanos = CallTimes.quantileNanos(api.recent, Double.parseDouble(quantile));
                text.sample(nanos / NANOS_PER_MILLI, "request", api.name, "quantile", quantile);
            }
        }
        text.part("_sum", api.calls.times().sumNanos() / NANOS_PER_MILLI, "request", api.name);
        text.part("_count", api.count(), "request", api.name);
    }

    private static void writeHistogram(TextWriter text, Api api) {
        ClassicHistogram histogram = api.calls.histogram();
        if (histogram == null || api.name.equals("FetchConsumer")) {
            return;
        }
        long[] cumulative = histogram.cumulative();
        for (int i = 0; i < cumulative.length; i++) {
            String limit = i < ClassicHistogram.LIMITS.size() ? ClassicHistogram.LIMITS.get(i) : "+Inf";
            text.part("_bucket", cumulative[i], "request", api.name, "le", limit);
        }
        text.part("_sum", TextWriter.seconds(api.calls.times().sumNanos()), "request", api.name);
        text.part("_count", cumulative[cumulative.length - 1], "request", api.name);
    }
}
