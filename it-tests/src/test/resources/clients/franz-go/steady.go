// Sends and reads numbers at an even pace: what an application sees while brokers come and go.
package main

import (
	"bufio"
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const (
	pause    = 20 * time.Millisecond
	patience = 180 * time.Second
)

// Numbers, the longest time between two of them, and errors.
type pace struct {
	lock    sync.Mutex
	numbers map[string]bool
	again   int
	last    time.Time
	longest time.Duration
	errors  map[string]int
}

func newPace() *pace {
	return &pace{numbers: map[string]bool{}, errors: map[string]int{}}
}

func (p *pace) came(number string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	now := time.Now()
	if !p.last.IsZero() {
		p.longest = max(p.longest, now.Sub(p.last))
	}
	p.last = now
	if p.numbers[number] {
		p.again++
	}
	p.numbers[number] = true
}

func (p *pace) failed(err error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.errors[err.Error()]++
}

func (p *pace) count() int {
	p.lock.Lock()
	defer p.lock.Unlock()
	return len(p.numbers)
}

func (p *pace) tell(out *bufio.Writer, name string) {
	fmt.Fprintf(out, "%s\t%d\t%d\t%d\t", name, len(p.numbers), p.again, p.longest.Milliseconds())
	for text, times := range p.errors {
		fmt.Fprintf(out, "%d %s, ", times, text)
	}
	fmt.Fprintln(out)
}

func steady(servers, topic string, count int, out *bufio.Writer) {
	context, end := context.WithTimeout(context.Background(), patience)
	defer end()
	sent, seen := newPace(), newPace()
	var both sync.WaitGroup
	both.Add(2)
	go func() { defer both.Done(); sendSteadily(context, servers, topic, count, sent) }()
	go func() { defer both.Done(); readSteadily(context, servers, topic, count, seen) }()
	both.Wait()
	sent.tell(out, "sent")
	seen.tell(out, "read")
}

func sendSteadily(ending context.Context, servers, topic string, count int, sent *pace) {
	client := connect(servers)
	defer client.Close()
	var produce func(number string)
	produce = func(number string) {
		client.Produce(ending, &kgo.Record{Topic: topic, Value: []byte(number)}, func(_ *kgo.Record, err error) {
			if err == nil {
				sent.came(number)
			} else if sent.failed(err); ending.Err() == nil {
				go produce(number)
			}
		})
	}
	ticks := time.NewTicker(pause)
	for number := 0; number < count; number++ {
		<-ticks.C
		produce(strconv.Itoa(number))
	}
	for sent.count() < count && ending.Err() == nil {
		<-ticks.C
	}
}

func readSteadily(ending context.Context, servers, topic string, count int, seen *pace) {
	client := connect(servers, kgo.ConsumeTopics(topic), kgo.ConsumerGroup(topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	defer client.Close()
	for seen.count() < count && ending.Err() == nil {
		fetches := client.PollFetches(ending)
		for _, failure := range fetches.Errors() {
			seen.failed(failure.Err)
		}
		fetches.EachRecord(func(record *kgo.Record) { seen.came(string(record.Value)) })
	}
}
