package io.rivulet.prove.upgrade;

import io.rivulet.prove.damage.Picture;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Bugs of a broker that opens data of other versions, in what the check sees of it. Immutable. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum PlantedBug {
    LOSES_A_RECORD_OF_AN_EARLIER_VERSION(truth -> {
        Picture served = copy(truth);
        Objects.requireNonNull(served.records().get("plain-0")).pollFirstEntry();
        return Known.wrong(served, truth);
    }),
    READS_A_RECORD_OF_AN_EARLIER_VERSION_WRONGLY(truth -> {
        Picture served = copy(truth);
        Objects.requireNonNull(served.records().get("plain-0")).replaceAll((offset, text) -> text + "x");
        return Known.wrong(served, truth);
    }),
    FORGETS_A_STREAMS_GROUP_OF_AN_EARLIER_VERSION(truth -> without(truth, "group ", "STREAMS_GROUPS")),
    FORGETS_A_USER_OF_AN_EARLIER_VERSION(truth -> without(truth, "user ", "u0")),
    READS_A_FIELD_OF_AN_EARLIER_VERSION_WRONGLY(truth -> {
        Picture served = copy(truth);
        String quota = line(truth, "quota ", "u1");
        served.state().remove(quota);
        served.state().add(quota.replace("producer_byte_rate", "consumer_byte_rate"));
        return Known.wrong(served, truth);
    }),
    FORGETS_A_CONFIG_OF_AN_EARLIER_VERSION(truth -> without(truth, "config of 2 plain: retention.ms", "from 1")),
    REFUSES_A_LATER_VERSION_WITHOUT_A_NAME(
            truth -> UpgradeCheck.judge(NewerFormat.SEGMENT, new IOException("something is wrong"), true)),
    TAKES_A_LATER_VERSION_FOR_A_BUG(
            truth -> UpgradeCheck.judge(NewerFormat.PRODUCER_IDS, new IllegalStateException("version 77"), true)),
    CHANGES_A_LATER_VERSION(truth ->
            UpgradeCheck.judge(NewerFormat.LOG_STATE, new IOException("log.state: version 77 is not 1"), false));

    private final Function<Picture, List<String>> complaints;

    PlantedBug(Function<Picture, List<String>> complaints) {
        this.complaints = complaints;
    }

    List<String> complaints(Picture truth) {
        return complaints.apply(truth);
    }

    static Picture copy(Picture truth) {
        Picture copy = new Picture();
        truth.records().forEach((partition, records) -> copy.records().put(partition, new TreeMap<>(records)));
        copy.state().addAll(new TreeSet<>(truth.state()));
        return copy;
    }

    private static List<String> without(Picture truth, String beginning, String part) {
        Picture served = copy(truth);
        served.state().remove(line(truth, beginning, part));
        return Known.wrong(served, truth);
    }

    private static String line(Picture truth, String beginning, String part) {
        return truth.state().stream()
                .filter(line -> line.startsWith(beginning) && line.contains(part))
                .findFirst()
                .orElseThrow();
    }
}
