package io.rivulet.prove.damage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Bugs of a broker that opens damaged directories, planted in what the check sees of it. Immutable. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum PlantedBug {
    SERVES_AN_ALTERED_RECORD(picture -> first(picture).replaceAll((offset, value) -> value + "x")),
    SKIPS_A_RECORD(picture -> first(picture).pollFirstEntry()),
    ENDS_A_PARTITION_AT_THE_DAMAGE(picture -> {
        NavigableMap<Long, String> records = first(picture);
        records.tailMap(records.lastKey() / 2).clear();
    }),
    SERVES_A_RECORD_AT_ANOTHER_OFFSET(picture -> {
        NavigableMap<Long, String> records = first(picture);
        records.put(records.lastKey() + 1, records.lastEntry().getValue());
    }),
    SERVES_THE_RECORDS_OF_ANOTHER_PARTITION(picture -> {
        NavigableMap<Long, String> first =
                Objects.requireNonNull(picture.records().get("plain-0"));
        NavigableMap<Long, String> second =
                new TreeMap<>(Objects.requireNonNull(picture.records().get("plain-1")));
        picture.records().put("plain-1", new TreeMap<>(first));
        picture.records().put("plain-0", second);
    }),
    LOSES_A_TOPIC(picture -> picture.records().remove("huge-0")),
    LOSES_THE_NAME_OF_A_TOPIC(lost("topic ")),
    LOSES_A_COMMITTED_OFFSET(lost("committed by classic")),
    LOSES_AN_OFFSET_OF_A_TRANSACTION(lost("committed by of-transactions")),
    LOSES_THE_POSITION_OF_A_SHARE_GROUP(lost("share group ")),
    LOSES_A_GROUP(lost("group ")),
    LOSES_A_RULE(lost("rule on ")),
    LOSES_A_USER(lost("user ")),
    LOSES_A_QUOTA(lost("quota ")),
    LOSES_A_CONFIG(lost("config of 2 plain: retention.ms")),
    LOSES_THE_SEQUENCE_OF_A_PRODUCER(lost("producer in ")),
    LOSES_AN_ABORTED_TRANSACTION(lost("aborted in ")),
    LOSES_AN_OPEN_TRANSACTION(lost("transaction ")),
    BRINGS_BACK_DELETED_RECORDS(picture -> replace(picture, "offsets of trimmed-0", ": \\d+,", ": 0,")),
    MOVES_THE_LAST_STABLE_OFFSET(picture -> replace(picture, "offsets of transactions-0", ", \\d+,", ", 0,"));

    private final Consumer<Picture> change;

    PlantedBug(Consumer<Picture> change) {
        this.change = change;
    }

    /** A broker with this bug. */
    Opened.Opener in(Opened.Opener broker) {
        return (directory, segmentBytes, truth) -> {
            Opened opened = broker.open(directory, segmentBytes, truth);
            Picture served = opened.served();
            if (served == null || !hasPlaces(served)) {
                return opened;
            }
            Picture wrong = new Picture(
                    new TreeMap<>(served.records()), new TreeSet<>(served.state()), served.failed(), served.unusable());
            change.accept(wrong);
            return new Opened(null, wrong);
        };
    }

    /** A repair that loses records may leave nothing to plant the bug in. */
    private static boolean hasPlaces(Picture picture) {
        return Stream.of("plain-0", "plain-1")
                .noneMatch(partition -> picture.records()
                        .getOrDefault(partition, new TreeMap<>())
                        .isEmpty());
    }

    private static NavigableMap<Long, String> first(Picture picture) {
        NavigableMap<Long, String> copy =
                new TreeMap<>(Objects.requireNonNull(picture.records().get("plain-0")));
        picture.records().put("plain-0", copy);
        return copy;
    }

    private static Consumer<Picture> lost(String beginning) {
        return picture -> line(picture, beginning).forEach(picture.state()::remove);
    }

    private static void replace(Picture picture, String beginning, String regex, String by) {
        line(picture, beginning).forEach(line -> {
            picture.state().remove(line);
            picture.state().add(line.replaceFirst(regex, by));
        });
    }

    private static List<String> line(Picture picture, String beginning) {
        return picture.state().stream()
                .filter(line -> line.startsWith(beginning))
                .limit(1)
                .toList();
    }

    /** A start that refuses everything, in a wrong way. */
    enum Refusal implements Opened.Opener {
        NAMES_NO_FILE {
            @Override
            public Opened open(Path directory, long segmentBytes, Picture truth) {
                return new Opened(new IOException("something is wrong"), null);
            }
        },
        IS_A_CRASH {
            @Override
            public Opened open(Path directory, long segmentBytes, Picture truth) {
                return new Opened(new IllegalStateException("log.state"), null);
            }
        },
        HAS_CHANGED_A_FILE {
            @Override
            public Opened open(Path directory, long segmentBytes, Picture truth) throws IOException {
                Path state = directory.resolve("log").resolve("log.state");
                Files.write(state, new byte[] {1});
                return new Opened(new IOException("log.state is wrong"), null);
            }
        },
        HAS_DELETED_A_FILE {
            @Override
            public Opened open(Path directory, long segmentBytes, Picture truth) throws IOException {
                Files.deleteIfExists(directory.resolve(Tree.files(directory).get(0)));
                return new Opened(new IOException("log.state is wrong"), null);
            }
        }
    }
}
