package io.rivulet.protocol.message.differential;

import io.rivulet.protocol.generator.schema.FieldSpec;
import io.rivulet.protocol.generator.schema.MessageSpec;
import io.rivulet.protocol.generator.schema.StructSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Valid frames of a normal client, and of one that wants the broker to allocate much memory. */
public final class ValidFrames {
    private static final Library OURS = new Ours();

    private final MessageSpec message;
    private final int version;

    public ValidFrames(MessageSpec message, int version) {
        this.message = message;
        this.version = version;
    }

    /** Frames with random values, and one in which all nullable fields are null. */
    public List<byte[]> random(int count, RandomGenerator random) {
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RandomTrees.Mode mode = i == 0 ? RandomTrees.Mode.NULL : RandomTrees.Mode.RANDOM;
            frames.add(write(new RandomTrees(message, version, mode, random).message()));
        }
        return frames;
    }

    private byte[] write(Map<String, Object> tree) {
        return OURS.write(OURS.build(message, tree), version);
    }

    /** For each array, a frame with this number of elements of the smallest size. */
    public List<byte[]> swollen(int elements, String strings, boolean unknownTags) {
        List<byte[]> frames = new ArrayList<>();
        for (Map<String, Object> tree : swollen(message.root(), elements, strings, unknownTags)) {
            frames.add(write(tree));
        }
        return frames;
    }

    private List<Map<String, Object>> swollen(StructSpec spec, int elements, String strings, boolean unknownTags) {
        List<Map<String, Object>> trees = new ArrayList<>();
        for (FieldSpec field : spec.fields()) {
            if (!field.versions().contains(version)) {
                continue;
            }
            if (field.array()) {
                List<Object> list = Collections.nCopies(elements, smallest(field, strings, unknownTags));
                trees.add(with(spec, field, list));
            }
            if (field.isStruct() || field.isStructArray()) {
                for (Map<String, Object> inner : swollen(message.struct(field), elements, strings, unknownTags)) {
                    trees.add(with(spec, field, field.array() ? List.of(inner) : inner));
                }
            }
        }
        return trees;
    }

    private Map<String, Object> with(StructSpec spec, FieldSpec field, Object value) {
        Map<String, Object> tree = smallest(spec, "", false);
        tree.put(field.name(), value);
        return tree;
    }

    private Object smallest(FieldSpec field, String strings, boolean unknownTags) {
        return switch (field.kind()) {
            case STRUCT -> smallest(message.struct(field), strings, unknownTags);
            case STRING -> strings;
            case UUID -> new Tree.Id(1, 1);
            default -> 1L;
        };
    }

    private Map<String, Object> smallest(StructSpec spec, String strings, boolean unknownTags) {
        Map<String, Object> tree = Tree.struct();
        for (FieldSpec field : spec.plainFields()) {
            if (!field.versions().contains(version) || field.array()) {
                continue;
            }
            switch (field.kind()) {
                case STRING -> tree.put(field.name(), strings);
                case RECORDS -> tree.put(field.name(), ByteBuffer.allocate(0));
                case STRUCT -> tree.put(field.name(), smallest(message.struct(field), strings, unknownTags));
                default -> {}
            }
        }
        if (unknownTags && spec.flexible().contains(version)) {
            int tag = spec.taggedFields().size();
            tree.put(Tree.TAGS, List.of(new Tree.Tag(tag, ByteBuffer.allocate(0))));
        }
        return tree;
    }
}
