package io.rivulet.bench.lab;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** The metrics of a Rivulet broker at one time. Immutable. */
public record Scrape(String text) {
    /** @param pages the address of the broker's pages */
    public static Scrape of(String pages) throws IOException {
        try (InputStream page =
                URI.create("http://" + pages + "/metrics").toURL().openStream()) {
            return new Scrape(new String(page.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** The value of a series that has no labels. */
    public double value(String series) throws IOException {
        return text.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new IOException("no series " + series));
    }

    /** The value of a series in bytes. */
    public double mib(String series) throws IOException {
        return value(series) / Machine.BYTES_PER_MIB;
    }
}
