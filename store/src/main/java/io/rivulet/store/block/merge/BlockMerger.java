package io.rivulet.store.block.merge;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.format.BlockFileOrigin;
import io.rivulet.store.block.format.Supersession;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.read.BlockFiles;
import io.rivulet.store.block.read.LogPayloads;
import io.rivulet.store.block.read.QueueView;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.block.write.BlockWriteBuffers;
import io.rivulet.store.io.Disk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Carries out one {@link MergePlan}, queue by queue in ascending order. Each {@link #step} reads and writes a bounded
 * number of bytes, so the background thread can sweep between two steps. Blocks of deleted queues and blocks before a
 * queue's start are not copied.
 *
 * <p>Each output ends between two queues. It covers its range of queues as soon as it is in the set. Inputs whose
 * queues are all within finished outputs can then be deleted, so a merge needs no more space than one output and its
 * unfinished inputs.
 *
 * <p>After {@link Progress#OUTPUT} the owner takes {@link #output}, writes the manifest, adds the file to the set and
 * removes the files that it replaces; then it continues. After any exception it calls {@link #close}; finished outputs
 * stay valid.
 *
 * <p>Crash policy: outputs are block files; a start deletes those that are not in the manifest. The policy then plans
 * the rest of the merge again.
 *
 * <p>Memory: that of its {@link MergeBuffers}. Owned by: background thread.
 */
public final class BlockMerger implements AutoCloseable {
    private static final int LAST_QUEUE_ID = Integer.MAX_VALUE;

    /** The result of a step. */
    public enum Progress {
        /** There is more to do. */
        WORKING,
        /** A file is complete and durable, and there may be more to do. */
        OUTPUT,
        /** All outputs have been returned. */
        DONE
    }

    private final Disk disk;
    private final MergePlan plan;
    private final MergeSettings settings;
    private final QueueView queues;
    private final BlockJoiner joiner;
    private final BlockWriteBuffers buffers;
    private final LongSupplier fileNumbers;
    private final long storeId;
    private final List<BlockFileFooter> compacted;
    private final List<MergeInput> inputs;
    private final List<MergeInput> headsOldestFirst = new ArrayList<>();
    private @Nullable BlockFileWriter writer;
    private @Nullable BlockFileId output;
    private long outputBytes;
    private int coverFrom;
    private int queueId = -1;
    private boolean started;
    private boolean done;

    /**
     * Keeps each file of the plan open until it has been read, or until this is closed.
     *
     * @param fileNumbers supplies numbers that were never used
     * @param buffers belong to the merger until it is closed
     */
    public BlockMerger(
            Disk disk,
            BlockFiles files,
            MergePlan plan,
            MergeSettings settings,
            QueueView queues,
            LogPayloads log,
            LongSupplier fileNumbers,
            MergeBuffers buffers) {
        this.disk = disk;
        this.plan = plan;
        this.settings = settings;
        this.queues = queues;
        this.joiner =
                new BlockJoiner(buffers.block(settings.limits().targetBlockBytes()), log, settings.inlineBelowLsn());
        this.buffers = buffers.output();
        this.fileNumbers = fileNumbers;
        this.coverFrom = plan.coverFrom();
        this.compacted =
                files.footers().stream().filter(BlockFileFooter::isCompacted).toList();
        List<BlockFile> whole = requireWhole(plan, files);
        this.storeId = whole.get(0).footer().storeId();
        this.inputs = inputsByCycle(whole, buffers);
    }

    /** The outputs replace all files of lower levels within their cycles: so all of these must be merged. */
    private static List<BlockFile> requireWhole(MergePlan plan, BlockFiles files) {
        List<BlockFile> whole = new ArrayList<>();
        for (BlockFile file : files.files()) {
            BlockFileFooter footer = file.footer();
            boolean planned = plan.inputs().contains(footer.fileNumber());
            if (planned != isSuperseded(footer, plan) && footer.blockCount() > 0) {
                throw new IllegalArgumentException(file.name() + " does not agree with " + plan);
            }
            if (planned) {
                whole.add(file);
            }
        }
        if (whole.isEmpty()
                || whole.size() != plan.inputs().size()
                || !whole.stream().allMatch(BlockFile::acquire)) {
            throw new IllegalArgumentException("files are missing for " + plan);
        }
        return whole;
    }

    /** A file without blocks has no queue that could be covered: merging it is optional. */
    private static boolean isSuperseded(BlockFileFooter footer, MergePlan plan) {
        return footer.level() < plan.level()
                && footer.firstCycle() >= plan.firstCycle()
                && footer.lastCycle() <= plan.lastCycle()
                && footer.maxQueueId() >= plan.coverFrom();
    }

    private List<MergeInput> inputsByCycle(List<BlockFile> acquired, MergeBuffers buffers) {
        List<MergeInput> byCycle = new ArrayList<>();
        acquired.stream()
                .collect(Collectors.groupingBy(file -> file.footer().lastCycle(), TreeMap::new, Collectors.toList()))
                .values()
                .forEach(cycle -> byCycle.add(new MergeInput(cycle, coverFrom, buffers.input(byCycle.size()))));
        return byCycle;
    }

    /** Does a bounded amount of work. */
    public Progress step() throws IOException {
        start();
        long enough = workedBytes() + settings.stepBytes();
        while (!done && workedBytes() < enough) {
            MergeInput head = headOfQueue();
            if (head != null) {
                take(head);
            } else if (endQueue()) {
                return Progress.OUTPUT;
            }
        }
        return done ? Progress.DONE : Progress.WORKING;
    }

    private void start() throws IOException {
        if (started) {
            return;
        }
        started = true;
        for (MergeInput input : inputs) {
            if (input.advance()) {
                headsOldestFirst.add(input);
            }
        }
    }

    private long workedBytes() {
        long worked = outputBytes + (writer == null ? 0 : writer.bytes());
        for (MergeInput input : inputs) {
            worked += input.readBytes();
        }
        return worked;
    }

    /** The oldest block of the current queue; null if the queue has no more. */
    private @Nullable MergeInput headOfQueue() {
        for (MergeInput head : headsOldestFirst) {
            if (head.block().queueId() == queueId) {
                return head;
            }
        }
        return null;
    }

    private void take(MergeInput head) throws IOException {
        if (queues.wants(head.block()) && !isCompacted(head)) {
            joiner.add(head.stream(), head.block().baseOffset(), writer());
        }
        if (!head.advance()) {
            headsOldestFirst.remove(head);
        }
    }

    /** Compacted blocks are not copied: their own files have them, and a merge would add them twice. */
    private boolean isCompacted(MergeInput head) {
        BlockFileFooter footer = head.footer();
        for (BlockFileFooter file : compacted) {
            if (file.coverFrom() <= queueId && queueId <= file.coverTo() && Supersession.takesPlaceOf(file, footer)) {
                return true;
            }
        }
        return false;
    }

    /** Continues with the next queue. True if a file was completed before that. */
    private boolean endQueue() throws IOException {
        if (writer != null) {
            joiner.end(writer);
        }
        if (headsOldestFirst.isEmpty()) {
            finishOutput(LAST_QUEUE_ID);
            return true;
        }
        int next = headsOldestFirst.stream()
                .mapToInt(head -> head.block().queueId())
                .min()
                .orElseThrow();
        if (writer != null && writer.isFull()) {
            finishOutput(next - 1);
            return true;
        }
        queueId = next;
        joiner.begin(next);
        return false;
    }

    private BlockFileWriter writer() throws IOException {
        if (writer == null) {
            BlockFileId id = new BlockFileId(storeId, fileNumbers.getAsLong());
            writer = BlockFileWriter.create(
                    disk,
                    new BlockFileOrigin(id, plan.level(), plan.firstCycle(), plan.lastCycle(), coverFrom),
                    settings.limits(),
                    buffers);
        }
        return writer;
    }

    /** Also writes a file without blocks, which shows that nothing is left of the inputs. */
    private void finishOutput(int coverTo) throws IOException {
        BlockFileWriter finished = writer();
        outputBytes += finished.finish(coverTo).totalBytes();
        output = finished.origin().id();
        writer = null;
        done = coverTo == LAST_QUEUE_ID;
        coverFrom = done ? LAST_QUEUE_ID : coverTo + 1;
    }

    /** The file that was completed last. */
    public BlockFileId output() {
        if (output == null) {
            throw new NoSuchElementException("no file is complete yet");
        }
        return output;
    }

    /** Bytes of all outputs so far. */
    public long outputBytes() {
        return outputBytes;
    }

    /** Releases the inputs, and deletes the incomplete output. */
    @Override
    public void close() {
        if (writer != null) {
            writer.abandon();
            writer = null;
        }
        done = true;
        inputs.forEach(MergeInput::close);
    }
}
