package io.rivulet.prove;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RunnerTest {
    private static final Duration NO_LIMIT = Duration.ofDays(1);

    private final BlockingQueue<String> news = new LinkedBlockingQueue<>();

    /** Its second point fails. The third ends when a line of news has said so. */
    private final class TalkedAbout implements Check {
        @Override
        public String name() {
            return "talked-about";
        }

        @Override
        public String promise() {
            return "none";
        }

        @Override
        public int points() {
            return 3;
        }

        @Override
        public Points open(Path scratch, Path kept) {
            return seed -> {
                if (seed == 12) {
                    awaitNews("talked-about: 2 of 3 points after ");
                }
                return new Found(1, seed == 11 ? List.of("wrong") : List.of());
            };
        }
    }

    private void awaitNews(String beginning) throws InterruptedException {
        String line = "";
        while (!line.startsWith(beginning)) {
            line = news.take();
        }
        assertThat(line).endsWith(" s, 1 failed");
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void tellsHowFarACheckIsWhileItRuns(@TempDir Path kept) throws Exception {
        Row row = new Runner(kept, news::add, 1).run(new TalkedAbout(), 10, 3, NO_LIMIT);

        assertThat(row.points()).isEqualTo(3);
        assertThat(row.failures()).hasSize(1);
    }
}
