package io.rivulet.bench.takeover;

/** A part of a takeover. */
enum Step {
    MISSED("until another broker claims the shard"),
    CLAIMED("claim: it sees that nobody owns the shard, until it does"),
    FENCED("fence: until no earlier owner can append"),
    LOADED("load: until the store is open"),
    WAITED("wait: until no earlier owner can answer"),
    SERVED("claim until it serves"),
    ACKNOWLEDGED("until a client is acknowledged"),
    ALL("**end of the owner until a client is acknowledged**"),
    REPLAYED("replayed MiB");

    private final String title;

    Step(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
