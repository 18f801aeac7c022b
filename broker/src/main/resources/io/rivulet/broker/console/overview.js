// The broker at a glance: rates now, and the last 15 minutes.
import { html, useEffect, useRef, useState } from './lib/preact.js';
import { api, bytes, Fact, Failure, number, useApi, useTitle } from './base.js';

const MOST = 900;

// Appends new samples to those that are there. A new start of the broker begins again.
function merged(before, sample) {
  if (!before || sample.next < before.next || sample.first > before.next) return sample;
  const result = { ...sample };
  for (const [name, column] of Object.entries(sample)) {
    if (Array.isArray(column)) result[name] = before[name].concat(column).slice(-MOST);
  }
  return result;
}

function useHistory() {
  const [state, setState] = useState({});
  useEffect(() => {
    let history;
    let timer;
    let ended = false;
    const load = async () => {
      if (!document.hidden) {
        try {
          history = merged(history, await api('history', { from: history ? history.next : 0 }));
          if (!ended) setState({ history });
        } catch (failure) {
          if (!ended) setState({ history, failure: failure.message });
        }
      }
      if (!ended) timer = setTimeout(load, 1000);
    };
    load();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, []);
  return state;
}

// Growth a second, from one sample to the next; null where a sample is missing.
const rate = (history, of) => history.time.map((now, i) => {
  const seconds = i ? (now - history.time[i - 1]) / 1000 : 0;
  return seconds > 0 ? Math.max(0, (of(history, i) - of(history, i - 1)) / seconds) : null;
});

const ratio = (part, whole) => part.map((value, i) =>
  (value === null || !whole[i] ? null : value / whole[i]));

function series(h) {
  const column = (name) => (history, i) => history[name][i];
  const forces = rate(h, column('forces'));
  const hits = rate(h, column('cache_hits'));
  const looks = rate(h, (history, i) => history.cache_hits[i] + history.cache_misses[i]);
  return [
    { title: 'Records in', unit: (v) => number(Math.round(v)) + '/s', values: rate(h, column('messages_in')) },
    { title: 'Bytes in', unit: (v) => bytes(v) + '/s', values: rate(h, column('bytes_in')), least: 1024 },
    { title: 'Bytes out', unit: (v) => bytes(v) + '/s', values: rate(h, column('bytes_out')), least: 1024 },
    { title: 'Connections', unit: (v) => number(Math.round(v)), values: h.connections },
    { title: 'Fsyncs of the log', unit: (v) => number(Math.round(v)) + '/s', values: forces },
    { title: 'Time of an fsync', unit: (v) => v.toFixed(2) + ' ms',
      values: ratio(rate(h, column('force_nanos')), forces).map((v) => v && v / 1e6) },
    { title: 'Tail in use', unit: (v) => v.toFixed(1) + ' %', most: 100,
      values: h.tail_chunks.map((used, i) => 100 * used / h.tail_capacity[i]) },
    { title: 'Cache hits', unit: (v) => v.toFixed(1) + ' %', most: 100, values: ratio(hits, looks).map((v) =>
      (v === null ? null : 100 * v)) },
    { title: 'Written to the log', unit: (v) => bytes(v) + '/s', values: rate(h, column('written_bytes')),
      least: 1024 },
    { title: 'Swept and merged', unit: (v) => bytes(v) + '/s', values: rate(h, column('swept_bytes')), least: 1024 },
    { title: 'On the disk', unit: bytes, values: h.log_bytes.map((log, i) => log + h.block_bytes[i]), least: 1024 },
  ];
}

const last = (values) => {
  for (let i = values.length - 1; i >= 0; i--) if (values[i] !== null) return values[i];
  return null;
};

const clock = (seconds) => new Date(seconds * 1000).toTimeString().slice(0, 8);

// One plot. The canvas is made once, and again when the colours or the width change.
function Plot({ times, of }) {
  const place = useRef();
  const plot = useRef();
  useEffect(() => {
    const make = () => {
      plot.current?.destroy();
      const style = getComputedStyle(document.documentElement);
      const colour = (name) => style.getPropertyValue(name).trim();
      const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
      plot.current = new uPlot({
        width: place.current.clientWidth,
        height: 110,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: true, range: (u, min, max) => [Math.min(min, max - 60), max] },
          y: { range: (u, min, max) => [0, of.most || Math.max(max * 1.1, of.least || 4)] },
        },
        padding: [8, 8, 0, 0],
        axes: [
          { ...axis, size: 26, values: (u, marks) => marks.map(clock) },
          { ...axis, size: 72, values: (u, marks) => marks.map(of.unit) },
        ],
        series: [{}, { stroke: colour('--accent'), fill: colour('--shade'), width: 1.5, points: { show: false } }],
      }, [times, of.values], place.current);
    };
    make();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', make);
    const width = new ResizeObserver(() =>
      plot.current.setSize({ width: place.current.clientWidth, height: 110 }));
    width.observe(place.current);
    return () => {
      dark.removeEventListener('change', make);
      width.disconnect();
      plot.current.destroy();
      plot.current = null;
    };
  }, []);
  useEffect(() => plot.current?.setData([times, of.values]), [times]);
  const now = last(of.values);
  return html`<section class="card plot" aria-label=${of.title}>
    <h2>${of.title}</h2><p class="figure">${now === null ? '–' : of.unit(now)}</p>
    <div ref=${place} aria-hidden="true"></div>
  </section>`;
}

// The part of this broker in a cluster.
function Shard({ shard }) {
  return html`<dl class="card facts">
    <${Fact} title="Owner of the log">broker ${shard.owner ?? '–'}, epoch ${shard.epoch}<//>
    <${Fact} title="Brokers alive">${number(shard.brokers)}<//>
    <${Fact} title="Ledgers">${number(shard.ledgers)}<//>
    <${Fact} title="Takeovers by this broker">${number(shard.completed)} of ${number(shard.begun)} begun,
      ${' '}${number(shard.lost)} lost again<//>
    <${Fact} title="The last one took">${shard.lastMillis === undefined ? '–' : `${number(shard.lastMillis)} ms`}<//>
  </dl>`;
}

// What there is to see of a broker while another one owns the log.
export function Follower({ state }) {
  useTitle('Follower');
  const { data } = useApi('shard', {}, 5000);
  return html`<h1>This broker follows</h1>
    <p role="status">${state}.${' '}
      ${data?.ownersConsole && html`<a href=${data.ownersConsole}>The console of the owner</a>`}</p>
    ${data && html`<dl class="card facts">
      <${Fact} title="Owner of the log">${data.owner === undefined ? 'nobody' : `broker ${data.owner}`},
        ${' '}epoch ${data.epoch}<//>
      <${Fact} title="Brokers alive">${number(data.brokers)}<//>
      <${Fact} title="Connections passed on">${number(data.relayed)}, ${number(data.waiting)} waiting<//>
      <${Fact} title="Takeovers by this broker">${number(data.completed)} of ${number(data.begun)} begun,
        ${' '}${number(data.lost)} lost again<//>
    </dl>`}`;
}

function Facts({ data }) {
  const used = data.diskBytes - data.diskFreeBytes;
  return html`<dl class="card facts">
    <${Fact} title="Topics"><a href="#/topics">${number(data.topics)}</a><//>
    <${Fact} title="Partitions">${number(data.queues)}<//>
    <${Fact} title="Disk">${bytes(data.diskFreeBytes)} free of ${bytes(data.diskBytes)}
      <meter min="0" max=${data.diskBytes} high=${0.9 * data.diskBytes} value=${used} aria-label="disk in use" /><//>
    <${Fact} title="Heap">${bytes(data.heapBytes)} of ${bytes(data.heapMostBytes)}<//>
    <${Fact} title="Broker">${data.node} in cluster ${data.cluster}<//>
    <${Fact} title="Data">${data.directory}<//>
  </dl>`;
}

// For who may not see the whole broker.
const Own = ({ data }) => html`<p>You see your <a href="#/topics">topics</a>, <a href="#/groups">groups</a> and
    ${' '}<a href="#/transactions">transactions</a>.</p>
  <p class="quiet">The whole broker needs the right DESCRIBE of the cluster.</p>
  <dl class="card facts"><${Fact} title="Broker">${data.node} in cluster ${data.cluster}<//></dl>`;

export function Overview() {
  useTitle('Overview');
  const broker = useApi('broker', {}, 10000);
  return html`<h1>Overview</h1>
    ${broker.failure && html`<${Failure} text=${broker.failure} />`}
    ${broker.data && (broker.data.seesAll ? html`<${Whole} broker=${broker} />` : html`<${Own} data=${broker.data} />`)}`;
}

function Whole({ broker }) {
  const { history, failure } = useHistory();
  const times = history ? history.time.map((millis) => millis / 1000) : [];
  const minutes = times.length ? (times[times.length - 1] - times[0]) / 60 : 0;
  return html`
    ${failure && failure !== broker.failure && html`<${Failure} text=${failure} />`}
    <${Facts} data=${broker.data} />
    ${broker.data.shard && html`<${Shard} shard=${broker.data.shard} />`}
    ${history && times.length > 1 && html`<p class="quiet">The last 15 minutes, from the first visit of this page on: now
      ${' '}${minutes < 1 ? 'less than a minute' : `${Math.round(minutes)} min`}.</p>
    <div class="plots">${series(history).map((of) => html`<${Plot} key=${of.title} times=${times} of=${of} />`)}</div>`}
    ${times.length < 2 && !failure && html`<p class="quiet" role="status">Loading…</p>`}`;
}
