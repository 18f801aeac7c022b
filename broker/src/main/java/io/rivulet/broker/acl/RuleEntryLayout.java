package io.rivulet.broker.acl;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.ResourceType;
import io.rivulet.broker.coordinator.EntryText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The log entry of {@link Rules}. Numbers are big-endian, and those of Kafka's protocol. A text is its length in two
 * bytes and UTF-8.
 *
 * <pre>
 * | version 1, one byte | added 1 or removed 2, one byte | count 2 |
 *     for each rule: | resource type 1 | pattern 1 | operation 1 | effect 1 | name text | principal text | host text |
 * </pre>
 *
 * <p>Crash policy: durable and checksummed with its group. To apply the entries of a time again, in their order,
 * changes nothing.
 */
final class RuleEntryLayout {
    private static final byte VERSION = 1;
    private static final byte ADDED = 1;
    private static final byte REMOVED = 2;
    private static final int HEADER_BYTES = 2 + Short.BYTES;
    private static final int FIXED_BYTES = 4;

    /** With so many rules or bytes an entry is full. It is far below the size of a log group. */
    private static final int FULL_RULES = 1000;

    private static final int FULL_BYTES = 256 << 10;

    /** Some rules, and what happens to them. */
    record Change(boolean isAddition, List<Rule> rules) {}

    private RuleEntryLayout() {}

    static ByteBuffer entry(boolean isAddition, List<Rule> rules) {
        int bytes = HEADER_BYTES;
        for (Rule rule : rules) {
            bytes += maxBytes(rule);
        }
        ByteBuffer entry = ByteBuffer.allocate(bytes)
                .put(VERSION)
                .put(isAddition ? ADDED : REMOVED)
                .putShort((short) rules.size());
        for (Rule rule : rules) {
            entry.put(rule.type().code())
                    .put(rule.pattern().code())
                    .put(rule.operation().code())
                    .put(rule.effect().code());
            EntryText.put(entry, rule.name());
            EntryText.put(entry, rule.principal());
            EntryText.put(entry, rule.host());
        }
        return entry.flip();
    }

    private static int maxBytes(Rule rule) {
        return FIXED_BYTES
                + EntryText.maxBytes(rule.name())
                + EntryText.maxBytes(rule.principal())
                + EntryText.maxBytes(rule.host());
    }

    /** The rules for one entry each, in order. */
    static List<List<Rule>> parts(List<Rule> all) {
        List<List<Rule>> parts = new ArrayList<>();
        int from = 0;
        int bytes = 0;
        for (int i = 0; i < all.size(); i++) {
            bytes += maxBytes(all.get(i));
            if (bytes >= FULL_BYTES || i + 1 - from == FULL_RULES || i + 1 == all.size()) {
                parts.add(all.subList(from, i + 1));
                from = i + 1;
                bytes = 0;
            }
        }
        return parts;
    }

    static Change take(ByteBuffer entry) {
        byte version = entry.get();
        if (version != VERSION) {
            throw new IllegalStateException("an entry of access rules has the unknown version " + version);
        }
        byte change = entry.get();
        int count = entry.getShort();
        List<Rule> rules = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ResourceType type = require(ResourceType.ofCode(entry.get()));
            PatternType pattern = require(PatternType.ofCode(entry.get()));
            Operation operation = require(Operation.ofCode(entry.get()));
            Effect effect = require(Effect.ofCode(entry.get()));
            String name = EntryText.take(entry);
            rules.add(new Rule(type, pattern, name, EntryText.take(entry), EntryText.take(entry), operation, effect));
        }
        return new Change(change == ADDED, rules);
    }

    private static <T> T require(@Nullable T known) {
        if (known == null) {
            throw new IllegalStateException("an entry of access rules has an unknown number");
        }
        return known;
    }
}
