// franz-go. Arguments and output: ClientProgram.java.
package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

var codecs = map[string]kgo.CompressionCodec{
	"none":   kgo.NoCompression(),
	"gzip":   kgo.GzipCompression(),
	"snappy": kgo.SnappyCompression(),
	"lz4":    kgo.Lz4Compression(),
	"zstd":   kgo.ZstdCompression(),
}

func main() {
	mode, servers, topic, more := os.Args[1], os.Args[2], os.Args[3], os.Args[4:]
	out := bufio.NewWriter(os.Stdout)
	switch mode {
	case "produce", "produce-idempotent": // the default is idempotent
		produce(servers, topic, codecs[more[0]], out)
	case "consume":
		consume(servers, count(more[0]), out, kgo.ConsumePartitions(
			map[string]map[int32]kgo.Offset{topic: {0: kgo.NewOffset().AtStart()}}))
	case "group":
		consume(servers, count(more[0]), out, kgo.ConsumeTopics(topic), kgo.ConsumerGroup(more[1]),
			kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.AutoCommitMarks())
	case "transactions":
		processInTransactions(servers, topic, more[0], out)
	case "share":
		share(servers, topic, more[0], out)
	case "steady":
		steady(servers, topic, count(more[0]), out)
	case "produce-huge":
		produceHuge(servers, topic, more, out)
	case "consume-huge":
		consumeHuge(servers, topic, count(more[0]), out)
	case "admin":
		tellLifeOfTopic(context.Background(), kadm.NewClient(connect(servers)), topic)
	default:
		panic("no such mode: " + mode)
	}
	must(out.Flush())
}

func produce(servers, topic string, codec kgo.CompressionCodec, out *bufio.Writer) {
	client := connect(servers, kgo.ProducerBatchCompression(codec), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	defer client.Close()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		record := &kgo.Record{Topic: topic, Key: unhex(fields[0]), Value: unhex(fields[1]), Headers: parsed(fields[2])}
		client.Produce(context.Background(), record, func(acknowledged *kgo.Record, err error) {
			must(err)
			tell(out, acknowledged)
		})
	}
	must(lines.Err())
	must(client.Flush(context.Background()))
}

func consume(servers string, count int, out *bufio.Writer, options ...kgo.Opt) {
	client := connect(servers, options...)
	for told := 0; told < count; {
		fetches := client.PollRecords(context.Background(), count-told)
		for _, failure := range fetches.Errors() {
			must(failure.Err)
		}
		fetches.EachRecord(func(record *kgo.Record) {
			tell(out, record)
			client.MarkCommitRecords(record)
			told++
		})
	}
	if group, _ := client.GroupMetadata(); group != "" {
		must(client.CommitMarkedOffsets(context.Background()))
	}
	client.Close()
}

func connect(servers string, options ...kgo.Opt) *kgo.Client {
	options = append(append(options, kgo.SeedBrokers(strings.Split(servers, ",")...)), login()...)
	client, err := kgo.NewClient(options...)
	must(err)
	if os.Getenv("CLIENT_CA") != "" {
		must(client.Ping(context.Background())) // ends at once if the login fails
	}
	return client
}

func tell(out *bufio.Writer, record *kgo.Record) {
	headers := make([]string, len(record.Headers))
	for i, header := range record.Headers {
		headers[i] = header.Key + "=" + tohex(header.Value)
	}
	_, err := fmt.Fprintf(out, "%d\t%s\t%s\t%s\n",
		record.Offset, tohex(record.Key), tohex(record.Value), strings.Join(headers, ","))
	must(err)
}

func parsed(headers string) []kgo.RecordHeader {
	var all []kgo.RecordHeader
	for _, header := range strings.FieldsFunc(headers, func(r rune) bool { return r == ',' }) {
		name, value, _ := strings.Cut(header, "=")
		all = append(all, kgo.RecordHeader{Key: name, Value: unhex(value)})
	}
	return all
}

func count(text string) int {
	number, err := strconv.Atoi(text)
	must(err)
	return number
}

func unhex(text string) []byte {
	if text == "-" {
		return nil
	}
	bytes, err := hex.DecodeString(text)
	must(err)
	return bytes
}

func tohex(bytes []byte) string {
	if bytes == nil {
		return "-"
	}
	return hex.EncodeToString(bytes)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
