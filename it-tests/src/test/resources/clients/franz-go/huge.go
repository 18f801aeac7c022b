// Messages of many megabytes.
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"
)

const largestBytes = 101_000_000

func produceHuge(servers, topic string, sizes []string, out *bufio.Writer) {
	client := connect(servers, kgo.ProducerBatchMaxBytes(largestBytes), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(kgo.NoCompression()))
	defer client.Close()
	for _, size := range sizes {
		value := make([]byte, count(size))
		_, err := rand.Read(value)
		must(err)
		record, err := client.ProduceSync(context.Background(), &kgo.Record{Topic: topic, Value: value}).First()
		must(err)
		tellSum(out, record)
	}
}

func consumeHuge(servers, topic string, count int, out *bufio.Writer) {
	client := connect(servers, kgo.ConsumePartitions(
		map[string]map[int32]kgo.Offset{topic: {0: kgo.NewOffset().AtStart()}}))
	defer client.Close()
	for told := 0; told < count; {
		fetches := client.PollRecords(context.Background(), count-told)
		for _, failure := range fetches.Errors() {
			must(failure.Err)
		}
		fetches.EachRecord(func(record *kgo.Record) {
			tellSum(out, record)
			told++
		})
	}
}

func tellSum(out *bufio.Writer, record *kgo.Record) {
	_, err := fmt.Fprintf(out, "%d\t%d\t%x\n", record.Offset, len(record.Value), sha256.Sum256(record.Value))
	must(err)
}
