package io.rivulet.broker.console;

import io.rivulet.broker.http.HttpExchange;
import io.rivulet.store.StorageMap;
import io.rivulet.store.Store;
import java.util.Comparator;
import java.util.List;

/** Where the records are: in the tail, and in which block files. Thread-safe. */
record StoragePages(Store store, Reads reads) {
    private static final int MOST_FILES = 1000;

    void map(HttpExchange exchange) {
        reads.answer(exchange, reader -> ConsoleApi.json(map(store.storageMap())));
    }

    private static JsonWriter map(StorageMap map) {
        List<StorageMap.File> largest = map.files().stream()
                .sorted(Comparator.comparingLong(StorageMap.File::bytes).reversed())
                .limit(MOST_FILES)
                .toList();
        JsonWriter json = new JsonWriter()
                .object()
                .field("queues", map.idLimit())
                .field("tailBytes", map.tailBytes())
                .field("tailMostBytes", map.tailMostBytes())
                .field("logBytes", map.logBytes())
                .field("fileCount", map.files().size())
                .field(
                        "fileBytes",
                        map.files().stream().mapToLong(StorageMap.File::bytes).sum())
                .field(
                        "cachedBytes",
                        map.files().stream()
                                .mapToLong(StorageMap.File::cachedBytes)
                                .sum())
                .key("files")
                .array();
        largest.forEach(file -> add(json, file));
        return json.endArray().endObject();
    }

    private static void add(JsonWriter json, StorageMap.File file) {
        json.object()
                .field("name", file.name())
                .field("level", file.level())
                .field("firstCycle", file.firstCycle())
                .field("lastCycle", file.lastCycle())
                .field("firstQueue", file.firstQueueId())
                .field("lastQueue", file.lastQueueId())
                .field("queues", file.queues())
                .field("blocks", file.blocks())
                .field("offsets", file.offsets())
                .field("bytes", file.bytes())
                .field("referencedBytes", file.referencedBytes())
                .field("cachedBytes", file.cachedBytes())
                .field("written", file.writtenMillis())
                .endObject();
    }
}
