package io.rivulet.broker.top;

import io.rivulet.broker.json.PlainText;
import io.rivulet.broker.top.Frame.GroupRow;
import io.rivulet.broker.top.Frame.TopicRow;
import java.util.ArrayList;
import java.util.List;

/**
 * Lays a frame out as lines of text, none longer than the terminal is wide.
 *
 * <p>Immutable.
 *
 * @param width columns of the longest line
 * @param height the most lines
 * @param maxRows the most topics, and the most lags
 */
record Screen(int width, int height, int maxRows) {
    private static final int COLUMN = 10;
    private static final int LEAST_NAME = 8;
    private static final int FIGURE_LINES = 6;
    /** A blank line, and the names of the columns. */
    private static final int HEAD_LINES = 2;

    List<String> lines(String title, Frame frame) {
        List<String> lines = new ArrayList<>();
        lines.add(frame.restarted() ? title + "   the broker was restarted" : title);
        lines.addAll(figures(frame));
        int room = Math.max(0, height - FIGURE_LINES);
        int lags = Math.min(Math.min(maxRows, frame.lags().size()), room / 2 - HEAD_LINES);
        int topics = Math.min(maxRows, room - HEAD_LINES - (lags > 0 ? HEAD_LINES + lags : 0));
        lines.addAll(topics(frame.topics(), topics));
        lines.addAll(lags(frame.lags(), lags));
        return lines.stream().limit(height).map(line -> Names.cut(line, width)).toList();
    }

    private static List<String> figures(Frame frame) {
        return List.of(
                "in         " + column(Quantity.perSecond(frame.figure(Figure.MESSAGES_IN)))
                        + column(Quantity.bytesPerSecond(frame.figure(Figure.BYTES_IN)))
                        + "   produce " + column(Quantity.perSecond(frame.figure(Figure.PRODUCE_REQUESTS)))
                        + "   p99 " + Quantity.millis(frame.figure(Figure.PRODUCE_P99)),
                "out        " + column("") + column(Quantity.bytesPerSecond(frame.figure(Figure.BYTES_OUT)))
                        + "   fetch   " + column(Quantity.perSecond(frame.figure(Figure.FETCH_REQUESTS)))
                        + "   p99 " + Quantity.millis(frame.figure(Figure.FETCH_P99)),
                "requests   " + column(Quantity.perSecond(frame.figure(Figure.REQUESTS))) + "   connections "
                        + Quantity.of(frame.figure(Figure.CONNECTIONS)) + "   topics "
                        + Quantity.of(frame.figure(Figure.TOPICS)) + "   partitions "
                        + Quantity.of(frame.figure(Figure.PARTITIONS)),
                "fsync      " + column(Quantity.perSecond(frame.figure(Figure.FSYNCS)))
                        + column(Quantity.millis(frame.figure(Figure.FSYNC_MILLIS))) + "   tail "
                        + Quantity.percent(frame.figure(Figure.TAIL_USED)) + "   cache hits "
                        + Quantity.percent(frame.figure(Figure.CACHE_HITS)),
                "memory     " + column(Quantity.bytes(frame.figure(Figure.RESIDENT))) + "   disk "
                        + Quantity.bytes(frame.figure(Figure.DISK_USABLE)) + " free");
    }

    private static String column(String text) {
        return " ".repeat(Math.max(0, COLUMN - text.length())) + text;
    }

    private List<String> topics(List<TopicRow> rows, int count) {
        List<String> lines = new ArrayList<>();
        if (count > 0) {
            int name = nameColumns(4);
            lines.add("");
            lines.add(Names.padded("TOPIC" + of(rows.size(), count), name)
                    + column("MSG IN/S")
                    + column("IN")
                    + column("OUT")
                    + column("LAG"));
            for (TopicRow row : rows.subList(0, Math.min(count, rows.size()))) {
                lines.add(Names.padded(PlainText.of(row.topic()), name)
                        + column(Quantity.of(row.messagesIn()))
                        + column(Quantity.bytesPerSecond(row.bytesIn()))
                        + column(Quantity.bytesPerSecond(row.bytesOut()))
                        + column(Quantity.of(row.lag())));
            }
        }
        return lines;
    }

    private List<String> lags(List<GroupRow> rows, int count) {
        List<String> lines = new ArrayList<>();
        if (count > 0) {
            int name = nameColumns(2) / 2;
            lines.add("");
            lines.add(Names.padded("GROUP" + of(rows.size(), count), name - 1) + " " + Names.padded("TOPIC", name)
                    + column("LAG") + column("BEHIND"));
            for (GroupRow row : rows.subList(0, count)) {
                lines.add(Names.padded(PlainText.of(row.group()), name - 1)
                        + " "
                        + Names.padded(PlainText.of(row.topic()), name)
                        + column(Quantity.of(row.lag()))
                        + column(Quantity.seconds(row.seconds())));
            }
        }
        return lines;
    }

    /** What is left for names beside so many numbers. */
    private int nameColumns(int numbers) {
        return Math.max(LEAST_NAME, width - numbers * COLUMN);
    }

    private static String of(int all, int shown) {
        return all > shown ? " (" + shown + " of " + all + ")" : "";
    }
}
