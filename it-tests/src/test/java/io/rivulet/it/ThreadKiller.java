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
 * Throws an {@link OutOfMemoryError} in a thread of another process, wherever that thread is: what happens to it in no test that it
 * knows of. It does so as a debugger, so nothing of the broker is changed for it.
 *
 * <p>Owned by: one thread.
 */
final class ThreadKiller implements AutoCloseable {
    private final VirtualMachine machine;

    private ThreadKiller(VirtualMachine machine) {
        this.machine = machine;
    }

    /** The option of the virtual machine that this needs. */
    static String option(int port) {
        return "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:" + port;
    }

    /** As above, and the virtual machine waits for {@link #attach} before it does anything. */
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

    /** Lets the broker run until it first uses this class; the thread that does stands still then. */
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

    /** Lets all threads go on that stand still. */
    void resume() {
        machine.resume();
    }

    void kill(String threadName) throws Exception {
        find(threadName).stop(outOfMemory());
    }

    /** It hangs, until this is closed. */
    void suspend(String threadName) {
        find(threadName).suspend();
    }

    /** Waits for the thread to be there. */
    private ThreadReference find(String threadName) {
        return Awaitility.await()
                .until(
                        () -> machine.allThreads().stream()
                                .filter(one -> one.name().equals(threadName))
                                .toList(),
                        found -> !found.isEmpty())
                .get(0);
    }

    /** The virtual machine keeps some ready. */
    private ObjectReference outOfMemory() {
        List<ReferenceType> types = machine.classesByName(OutOfMemoryError.class.getName());
        return types.get(0).instances(1).get(0);
    }

    @Override
    public void close() {
        try {
            machine.dispose();
        } catch (RuntimeException e) {
            // It has ended, as it was meant to.
        }
    }
}
