package io.rivulet.bench.versus;

/** How members of a group and their coordinator talk. */
enum GroupProtocol {
    CLASSIC("classic"),
    CONSUMER("consumer");

    private final String title;

    GroupProtocol(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
