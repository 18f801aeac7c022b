package io.rivulet.broker.top;

import io.rivulet.broker.json.JsonText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A frame as an object on one line. Stateless. */
final class FrameJson {
    private static final double DIGITS = 1000;

    private FrameJson() {}

    /** @param maxRows the most topics, and the most lags */
    static String of(Instant time, String server, Frame frame, int maxRows) {
        Map<String, @Nullable Object> object = JsonText.object(
                "time", time, "server", server, "seconds", rounded(frame.seconds()), "restarted", frame.restarted());
        for (Figure figure : Figure.values()) {
            object.put(figure.json(), rounded(frame.figure(figure)));
        }
        List<Object> topics = new ArrayList<>();
        frame.topics().stream().limit(maxRows).forEach(row -> topics.add(topic(row)));
        object.put("topics", topics);
        List<Object> lags = new ArrayList<>();
        frame.lags().stream().limit(maxRows).forEach(row -> lags.add(lag(row)));
        object.put("groups", lags);
        return JsonText.of(object);
    }

    private static Map<String, @Nullable Object> topic(Frame.TopicRow row) {
        return JsonText.object(
                "topic",
                row.topic(),
                Figure.MESSAGES_IN.json(),
                rounded(row.messagesIn()),
                Figure.BYTES_IN.json(),
                rounded(row.bytesIn()),
                Figure.BYTES_OUT.json(),
                rounded(row.bytesOut()),
                "lag",
                rounded(row.lag()));
    }

    private static Map<String, @Nullable Object> lag(Frame.GroupRow row) {
        return JsonText.object(
                "group",
                row.group(),
                "topic",
                row.topic(),
                "lag",
                rounded(row.lag()),
                "lagSeconds",
                rounded(row.seconds()));
    }

    static String failure(Instant time, String server, String error) {
        return JsonText.of(JsonText.object("time", time, "server", server, "error", error));
    }

    /** Three digits behind the point, and none if it is a whole number. */
    private static @Nullable Number rounded(@Nullable Double value) {
        if (value == null) {
            return null;
        }
        double rounded = Math.round(value * DIGITS) / DIGITS;
        long whole = (long) rounded;
        return whole == rounded ? (Number) whole : (Number) rounded;
    }
}
