// kafkajs. Arguments and output: ClientProgram.java.
"use strict";

const { readFileSync } = require("node:fs");
const { CompressionCodecs, CompressionTypes, Kafka, logLevel } = require("kafkajs");
const snappy = require("kafkajs-snappy");
const lz4 = require("lz4-napi");
const { ZstdCodec } = require("zstd-codec");
const { tellLifeOfTopic } = require("./admin");
const { consumeHuge, produceHuge } = require("./huge");
const login = require("./login");
const { steady } = require("./steady");

// It has gzip; users add the other codecs.
CompressionCodecs[CompressionTypes.Snappy] = snappy;
CompressionCodecs[CompressionTypes.LZ4] = () => ({
  compress: (encoder) => lz4.compressFrame(encoder.buffer),
  decompress: (buffer) => lz4.decompressFrame(buffer),
});
const zstd = new Promise((resolve) => ZstdCodec.run((binding) => resolve(new binding.Streaming())));
CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  compress: async (encoder) => Buffer.from((await zstd).compress(encoder.buffer)),
  decompress: async (buffer) => Buffer.from((await zstd).decompress(buffer)),
});

const CODECS = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  snappy: CompressionTypes.Snappy,
  lz4: CompressionTypes.LZ4,
  zstd: CompressionTypes.ZSTD,
};
const RECORDS_A_REQUEST = 100;

async function produce(kafka, topic, codec, idempotent) {
  const lines = readFileSync(0, "utf8").split("\n").filter((line) => line);
  const producer = kafka.producer(idempotent ? { idempotent: true, maxInFlightRequests: 1 } : {});
  await producer.connect();
  for (let i = 0; i < lines.length; i += RECORDS_A_REQUEST) {
    const some = lines.slice(i, i + RECORDS_A_REQUEST);
    const messages = some.map((line) => {
      const [key, value, headers] = line.split("\t");
      return { partition: 0, key: unhex(key), value: unhex(value), headers: parsed(headers) };
    });
    const [{ baseOffset }] = await producer.send({ topic, compression: CODECS[codec], messages });
    some.forEach((line, index) => console.log(`${BigInt(baseOffset) + BigInt(index)}\t${line}`));
  }
  await producer.disconnect();
}

async function consumeInGroup(kafka, topic, count, groupId) {
  const consumer = kafka.consumer({ groupId });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  let told = 0;
  await new Promise((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    consumer
      .run({
        eachBatchAutoResolve: false,
        eachBatch: async ({ batch, resolveOffset, commitOffsetsIfNecessary, uncommittedOffsets }) => {
          for (const message of batch.messages.slice(0, count - told)) {
            tell(message);
            resolveOffset(message.offset);
            told++;
          }
          await commitOffsetsIfNecessary(uncommittedOffsets());
          if (told === count) {
            resolve();
          }
        },
      })
      .catch(reject);
  });
  await consumer.disconnect();
}

function tell({ offset, key, value, headers }) {
  const each = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((bytes) => `${name}=${tohex(bytes)}`),
  );
  console.log([offset, tohex(key), tohex(value), each.join(",")].join("\t"));
}

function parsed(headers) {
  const all = {};
  for (const header of headers.split(",").filter((text) => text)) {
    const [name, value] = header.split("=");
    (all[name] ??= []).push(unhex(value));
  }
  return all;
}

function unhex(text) {
  return text === "-" ? null : Buffer.from(text, "hex");
}

function tohex(bytes) {
  return bytes === null ? "-" : bytes.toString("hex");
}

async function main([mode, servers, topic, ...more]) {
  const kafka = new Kafka({ brokers: servers.split(","), logLevel: logLevel.ERROR, ...login.settings(process.env) });
  switch (mode) {
    case "produce":
    case "produce-idempotent":
      return produce(kafka, topic, more[0], mode === "produce-idempotent");
    case "group":
      return consumeInGroup(kafka, topic, Number(more[0]), more[1]);
    case "steady":
      return steady(kafka, topic, Number(more[0]));
    case "produce-huge":
      return produceHuge(kafka, topic, more);
    case "consume-huge":
      return consumeHuge(kafka, topic, Number(more[0]));
    case "admin":
      return tellLifeOfTopic(kafka, topic);
    default:
      throw new Error(`no such mode: ${mode}`);
  }
}

process.env.KAFKAJS_NO_PARTITIONER_WARNING = "1";
main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exit(1); // open connections would keep the process alive
});
