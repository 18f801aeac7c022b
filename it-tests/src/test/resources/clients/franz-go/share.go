package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Consumes as a member of a share group until standard input ends. What becomes of a record: ClientProgram.java.
func share(servers, topic, group string, out *bufio.Writer) {
	running, end := context.WithCancel(context.Background())
	go func() {
		_, err := io.Copy(io.Discard, os.Stdin)
		must(err)
		end()
	}()
	client := connect(servers, kgo.ConsumeTopics(topic), kgo.ShareGroup(group), kgo.ShareMaxRecords(20),
		kgo.ShareMaxRecordsStrict(),
		kgo.ShareAckCallback(func(_ *kgo.Client, results kgo.ShareAckResults) { must(results.Error()) }))
	for running.Err() == nil {
		fetches := client.PollRecords(running, 20)
		for _, failure := range fetches.Errors() {
			if !errors.Is(failure.Err, context.Canceled) {
				panic(failure.Err)
			}
		}
		records := fetches.Records()
		tellVerdicts(out, "sent", records)
		for _, record := range records {
			client.MarkAcks(verdict(record), record)
		}
		must(client.FlushAcks(context.Background()))
		tellVerdicts(out, "done", records)
	}
	client.Close()
}

func verdict(record *kgo.Record) kgo.AckStatus {
	switch {
	case record.Offset%10 == 3 && record.DeliveryCount() == 1:
		return kgo.AckRelease
	case record.Offset%20 == 7:
		return kgo.AckReject
	default:
		return kgo.AckAccept
	}
}

func tellVerdicts(out *bufio.Writer, what string, records []*kgo.Record) {
	for _, record := range records {
		_, err := fmt.Fprintf(out, "%s\t%s\t%d\t%d\n", what, verdict(record), record.Partition, record.Offset)
		must(err)
	}
	must(out.Flush())
}
