package io.rivulet.protocol.generator.schema;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a schema file into a {@link MessageSpec}. */
public final class SchemaReader {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonReadFeature.ALLOW_JAVA_COMMENTS).build();

    private final JsonNode json;
    private final String messageName;
    private final Versions flexible;
    private final Map<String, StructSpec> structs = new LinkedHashMap<>();

    private SchemaReader(JsonNode json) {
        this.json = json;
        this.messageName = text(json, "name", "");
        this.flexible = Versions.parse(text(json, "flexibleVersions", "none"));
    }

    public static MessageSpec read(Path file) {
        return new SchemaReader(JSON.readTree(file.toFile())).message();
    }

    private MessageSpec message() {
        Versions valid = Versions.parse(text(json, "validVersions", "none"));
        for (JsonNode common : json.path("commonStructs")) {
            Versions versions = Versions.parse(text(common, "versions", "")).intersect(valid);
            addStruct(text(common, "name", ""), versions, common.path("fields"));
        }
        StructSpec root = struct(messageName, messageName, valid, json.path("fields"));
        Set<String> listeners = new TreeSet<>();
        json.path("listeners").forEach(listener -> listeners.add(listener.asString()));
        return new MessageSpec(
                MessageSpec.Kind.valueOf(
                        text(json, "type", "").toUpperCase(Locale.ROOT).replace('-', '_')),
                json.path("apiKey").asInt(-1),
                json.path("latestVersionUnstable").asBoolean(false),
                listeners,
                root,
                structs);
    }

    private void addStruct(String name, Versions versions, JsonNode fields) {
        StructSpec before = structs.put(name, struct(name, messageName + "." + name, versions, fields));
        require(before == null, messageName + " has two structs " + name);
    }

    private StructSpec struct(String name, String path, Versions versions, JsonNode fields) {
        List<FieldSpec> specs = new ArrayList<>();
        for (JsonNode field : fields) {
            specs.add(field(path, versions, field));
        }
        StructSpec struct = new StructSpec(name, path, versions, flexible.intersect(versions), List.copyOf(specs));
        // Then unknown tags always follow the known ones.
        for (int i = 0; i < struct.taggedFields().size(); i++) {
            require(struct.taggedFields().get(i).tag() == i, path + " leaves out tag " + i);
        }
        return struct;
    }

    private FieldSpec field(String path, Versions structVersions, JsonNode node) {
        String type = text(node, "type", "");
        boolean array = type.startsWith("[]");
        FieldKind kind = FieldKind.parse(array ? type.substring(2) : type);
        if (type.equals("[]int8")) {
            // both types have the same encoding
            kind = FieldKind.BYTES;
            array = false;
        }
        Versions declared = Versions.parse(text(node, "versions", text(node, "taggedVersions", "")));
        Versions versions = declared.intersect(structVersions);
        FieldSpec field = new FieldSpec(
                lowerCamel(text(node, "name", "")),
                kind,
                array,
                kind == FieldKind.STRUCT ? type.substring(array ? 2 : 0) : null,
                versions,
                Versions.parse(text(node, "nullableVersions", "none")).intersect(versions),
                node.path("tag").asInt(-1),
                node.path("ignorable").asBoolean(false),
                node.has("default") ? node.path("default").asString() : null,
                node.has("flexibleVersions"));
        requireKnown(path, node, declared, field);
        if (node.has("fields")) {
            addStruct(field.struct(), versions, node.path("fields"));
        }
        return field;
    }

    /** Refuses parts of the schema language that no schema of a client uses. */
    private static void requireKnown(String path, JsonNode node, Versions declared, FieldSpec field) {
        String where = path + "." + field.name();
        String tagged = text(node, "taggedVersions", "none");
        boolean taggedAlways =
                tagged.equals("none") ? !field.tagged() : Versions.parse(tagged).equals(declared);
        require(taggedAlways, where + " is tagged in some of its versions only");
        boolean never = text(node, "flexibleVersions", "none").equals("none");
        require(never, where + " has flexible versions of its own");
        boolean arrayIsKnown = switch (field.kind()) {
            case INT16, INT32, INT64, STRING, UUID, STRUCT -> true;
            default -> !field.array();
        };
        require(arrayIsKnown, where + " is an array of a type that has none");
    }

    private static void require(boolean condition, String fault) {
        if (!condition) {
            throw new IllegalArgumentException(fault);
        }
    }

    private static String text(JsonNode node, String key, String otherwise) {
        return node.has(key) ? node.path(key).asString() : otherwise;
    }

    private static String lowerCamel(String name) {
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }
}
