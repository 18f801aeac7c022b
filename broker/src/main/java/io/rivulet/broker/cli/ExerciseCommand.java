package io.rivulet.broker.cli;

import io.rivulet.broker.RivuletBroker;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "exercise",
        hidden = true,
        description = {
            "Run a broker in this process and every command against it, once.",
            "The image is built with it: what it loads is what the AOT cache holds.",
        })
final class ExerciseCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        try (RivuletBroker broker =
                RivuletBroker.inMemoryOrTemp().topic("exercise", 2).start()) {
            return 0;
        }
    }
}
