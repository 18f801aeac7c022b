package io.rivulet.it;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/**
 * Throws an {@link OutOfMemoryError} in a thread of another process, at any place of its code. It works as a debugger,
 * so the broker needs no code for it.
 *
 * <p>Owned by: one thread.
 */
final class ThreadKiller implements AutoCloseable {
    private final VirtualMachine machine;

    private ThreadKiller(VirtualMachine machine) {
        this.machine = machine;
    }

    /** The option of the virtual machine for this class. */
    static String option(int port) {
        return "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:" + port;
    }

    /** As {@link #option}, but the virtual machine waits for {@link #attach} before it starts. */
    static String waitingOption(int port) {
        return option(port).replace("suspend=n", "suspend=y");
    }

    /** Waits until the process listens. */
    static ThreadKiller attach(int port) {
        return Awaitility.await()
                .atMost(Clients.PATIENCE)
                .ignoreException(ConnectException.class)
                .until(() -> connect(port), killer -> true);
    }

    private static ThreadKiller connect(int port) throws Exception {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(one -> one.transport().name().equals("dt_socket"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(Integer.toString(port));
        return new ThreadKiller(connector.attach(arguments));
    }

    /** Lets the broker run until the first use of a class, and suspends that thread. */
    void runUntil(String className) throws InterruptedException {
        ClassPrepareRequest request = machine.eventRequestManager().createClassPrepareRequest();
        request.addClassFilter(className);
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
        machine.resume();
        EventSet events = machine.eventQueue().remove(Clients.PATIENCE.toMillis());
        while (events.stream().noneMatch(ClassPrepareEvent.class::isInstance)) {
            events.resume();
            events = machine.eventQueue().remove(Clients.PATIENCE.toMillis());
        }
    }

    /** Resumes all suspended threads. */
    void resume() {
        machine.resume();
    }

    void kill(String threadName) throws Exception {
        find(threadName).stop(outOfMemory());
    }

    /** Suspends a thread until this is closed. */
    void suspend(String threadName) {
        find(threadName).suspend();
    }

    /** Waits for the thread. */
    private ThreadReference find(String threadName) {
        return Awaitility.await()
                .until(
                        () -> machine.allThreads().stream()
                                .filter(one -> one.name().equals(threadName))
                                .toList(),
                        found -> !found.isEmpty())
                .get(0);
    }

    /** An error that the virtual machine has allocated in advance. */
    private ObjectReference outOfMemory() {
        List<ReferenceType> types = machine.classesByName(OutOfMemoryError.class.getName());
        return types.get(0).instances(1).get(0);
    }

    @Override
    public void close() {
        try {
            machine.dispose();
        } catch (RuntimeException e) {
            // the process has ended, as expected
        }
    }
}
