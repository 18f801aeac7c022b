import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Exit;

/**
 * Runs Kafka's command line tools one after the other in one process, because most need less time than a start of the
 * JVM. Reads the number of words, the words (a class and its arguments) and the input of the tool. Writes exit code,
 * output and errors. The tools end with Kafka's Exit, which can be changed to throw instead.
 */
public final class ToolRunner {
    private static final class Ended extends RuntimeException {}

    private final List<Runnable> shutdownHooks = new ArrayList<>();
    private Integer exitCode;

    public static void main(String[] args) throws IOException {
        DataInputStream in = new DataInputStream(System.in);
        DataOutputStream out = new DataOutputStream(System.out);
        for (int words = in.read(); words >= 0; words = in.read()) {
            String tool = in.readUTF();
            String[] arguments = new String[words - 1];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = in.readUTF();
            }
            String input = in.readUTF();
            ByteArrayOutputStream toolOut = new ByteArrayOutputStream();
            ByteArrayOutputStream toolErr = new ByteArrayOutputStream();
            System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
            System.setOut(new PrintStream(toolOut, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(toolErr, true, StandardCharsets.UTF_8));
            int exitCode = new ToolRunner().run(tool, arguments);
            out.write(exitCode);
            write(out, toolOut);
            write(out, toolErr);
            out.flush();
        }
        System.exit(0); // ends the threads of the tools too
    }

    private static void write(DataOutputStream out, ByteArrayOutputStream bytes) throws IOException {
        System.out.flush();
        System.err.flush();
        out.writeInt(bytes.size());
        bytes.writeTo(out);
    }

    private int run(String tool, String[] arguments) {
        Exit.setExitProcedure((code, message) -> end(code));
        Exit.setHaltProcedure((code, message) -> end(code));
        Exit.setShutdownHookAdder((name, hook) -> shutdownHooks.add(hook));
        try {
            Class.forName(tool).getMethod("main", String[].class).invoke(null, (Object) arguments);
            end(0);
        } catch (InvocationTargetException e) {
            if (exitCode == null) {
                e.getCause().printStackTrace();
                exitCode = 1;
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(tool, e);
        } catch (Ended e) {
            // the normal end of a tool
        }
        shutdownHooks.forEach(Runnable::run);
        return exitCode;
    }

    /** The first call counts, because a tool may catch the exception and end again. */
    private void end(int code) {
        if (exitCode == null) {
            exitCode = code;
        }
        throw new Ended();
    }
}
