// Records of a partition: pages, single records, and new ones as they come.
import { html, useEffect, useRef, useState } from './lib/preact.js';
import { address, api, apiAddress, bytes, counted, Failure, number, time, useApi, useChange, useWrites }
  from './base.js';
import { Stored } from './produce.js';

// ---- bytes ----

const bytesOf = (field) => (field.text !== undefined
  ? new TextEncoder().encode(field.text)
  : Uint8Array.from(atob(field.base64), (letter) => letter.charCodeAt(0)));

const hexOf = (field) => {
  const all = bytesOf(field);
  const lines = [];
  for (let at = 0; at < all.length && at < 65536; at += 16) {
    const line = Array.from(all.subarray(at, at + 16));
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ').padEnd(48);
    const text = line.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    lines.push(at.toString(16).padStart(6, '0') + '  ' + hex + ' ' + text);
  }
  return lines.join('\n') + (all.length > 65536 ? '\n… the first 64 KiB' : '');
};

const jsonOf = (field) => {
  try {
    return field.text === undefined ? null : JSON.stringify(JSON.parse(field.text), null, 2);
  } catch {
    return null;
  }
};

// Control characters would be invisible, or change the direction of the text.
const visible = (text) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
  (letter) => '\\u' + letter.charCodeAt(0).toString(16).padStart(4, '0'));

function Short({ field }) {
  if (!field) return html`<span class="quiet">null</span>`;
  if (field.size === 0) return html`<span class="quiet">empty</span>`;
  if (field.text === undefined) {
    const some = Array.from(bytesOf(field).subarray(0, 24), (byte) => byte.toString(16).padStart(2, '0'));
    return html`<code>${some.join(' ')}${field.size > 24 ? '…' : ''}</code> <span class="tag">bytes</span>`;
  }
  const text = visible(field.text.slice(0, 200));
  return html`<code>${text}${field.cut || field.text.length > 200 ? '…' : ''}</code>`;
}

function Whole({ title, field }) {
  const json = field && jsonOf(field);
  const [form, setForm] = useState('');
  if (!field) return html`<section><h3>${title}</h3><p class="quiet">null</p></section>`;
  const forms = [...(json === null ? [] : ['JSON']), ...(field.text === undefined ? [] : ['text']), 'hex'];
  const chosen = forms.includes(form) ? form : forms[0];
  const shown = chosen === 'JSON' ? visible(json) : chosen === 'text' ? visible(field.text) : hexOf(field);
  return html`<section>
    <h3>${title} <span class="quiet">${bytes(field.size)}${field.cut ? ', cut' : ''}</span>
      <span class="choice" role="group" aria-label=${'form of the ' + title.toLowerCase()}>
        ${forms.map((one) => html`<button type="button" aria-pressed=${one === chosen}
          onClick=${() => setForm(one)}>${one}</button>`)}</span></h3>
    <pre tabindex="0">${shown}</pre>
  </section>`;
}

// ---- one record ----

function Details({ topic, row }) {
  const isCut = [row.key, row.value, ...row.headers.map((header) => header.value)].some((field) => field?.cut);
  const writes = useWrites();
  const state = useApi(isCut ? 'message' : '', { topic, partition: row.partition, offset: row.offset });
  if (isCut && state.failure) return html`<${Failure} text=${state.failure} />`;
  if (isCut && !state.data) return html`<p class="quiet" role="status">Loading…</p>`;
  const record = isCut ? state.data : row;
  return html`<div class="details">
    <${Whole} title="Key" field=${record.key} />
    <${Whole} title="Value" field=${record.value} />
    ${record.headers.length > 0 && html`<section><h3>Headers</h3><dl>${record.headers.map((header) => html`
      <dt><${Short} field=${header.key} /></dt><dd><${Short} field=${header.value} /></dd>`)}</dl>
      ${record.headerCount && html`<p class="quiet">${number(record.headerCount)} headers in all.</p>`}</section>`}
    <p class="quiet"><a href=${address(['topics', topic, 'messages'],
      { partition: row.partition, from: 'offset', offset: row.offset })}>Address of this record</a></p>
    ${writes && html`<${Replay} topic=${topic} row=${row} />`}
  </div>`;
}

// A copy of the record, to any topic.
function Replay({ topic, row }) {
  const [state, run] = useChange('replay');
  const submit = (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    run([['topic', topic], ['partition', row.partition], ['offset', row.offset], ...form]);
  };
  return html`<form class="bar" onSubmit=${submit}>
      <label>Copy to topic <input name="to" defaultValue=${topic} required /></label>
      <label>Partition <input name="toPartition" type="number" min="0" defaultValue=${row.partition}
        required /></label>
      <button type="submit" disabled=${state.running}>Copy</button>
    </form>
    <${Stored} state=${state} />`;
}

function Row({ topic, row, manyPartitions }) {
  const [open, setOpen] = useState(false);
  const columns = manyPartitions ? 5 : 4;
  if (row.hidden) {
    return html`<tr>${manyPartitions && html`<td class="number">${row.partition}</td>`}
      <td class="number">${row.offset}</td><td colspan="3" class="quiet">
        ${counted(row.count, 'record')}: ${row.hidden}</td></tr>`;
  }
  return html`<tr class="record">
      ${manyPartitions && html`<td class="number">${row.partition}</td>`}
      <td class="number"><button type="button" class="fold" aria-expanded=${open}
        aria-label=${'record ' + row.offset} onClick=${() => setOpen(!open)}>${row.offset}</button></td>
      <td class="time">${time(row.time)}</td>
      <td class="text"><${Short} field=${row.key} /></td>
      <td class="text"><${Short} field=${row.value} />
        ${row.transactional && html` <span class="tag">transaction</span>`}</td>
    </tr>
    ${open && html`<tr><td colspan=${columns}><${Details} topic=${topic} row=${row} /></td></tr>`}`;
}

function Records({ topic, rows, manyPartitions }) {
  return html`<div class="wide" tabindex="0" role="region" aria-label="Records"><table class="records">
    <thead><tr>${manyPartitions && html`<th class="number" scope="col">Partition</th>`}
      <th class="number" scope="col">Offset</th><th scope="col">Time</th>
      <th scope="col">Key</th><th scope="col">Value</th></tr></thead>
    <tbody>${rows.map((row) => html`<${Row} key=${row.partition + '/' + row.offset} topic=${topic} row=${row}
      manyPartitions=${manyPartitions} />`)}</tbody>
  </table></div>`;
}

// ---- pages of records ----

const FROM = [['newest', 'newest first'], ['oldest', 'oldest first'], ['offset', 'from an offset'],
  ['time', 'from a time']];

const PLACES = [['', 'all of it'], ['k', 'key'], ['v', 'value'], ['h', 'headers']];

const localTime = (millis) => {
  const date = new Date(millis - new Date(millis).getTimezoneOffset() * 60000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 19);
};

function Form({ topic, params }) {
  const [from, setFrom] = useState(params.get('from') || 'newest');
  const submit = (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    location.hash = address(['topics', topic.name, 'messages'], {
      partition: form.get('partition'),
      from,
      offset: from === 'offset' ? form.get('offset') : '',
      time: from === 'time' && form.get('time') ? new Date(form.get('time')).getTime() : '',
      contains: form.get('contains'),
      in: form.get('in'),
    });
  };
  return html`<form class="bar" onSubmit=${submit}>
    <label>Partition <input name="partition" type="number" min="0" max=${topic.partitions - 1} required
      defaultValue=${params.get('partition') || 0} /></label>
    <label>Order <select value=${from} onChange=${(event) => setFrom(event.target.value)}>
      ${FROM.map(([id, title]) => html`<option value=${id}>${title}</option>`)}</select></label>
    ${from === 'offset' && html`<label>Offset <input name="offset" type="number" min="0" required
      defaultValue=${params.get('offset') || 0} /></label>`}
    ${from === 'time' && html`<label>Time <input name="time" type="datetime-local" step="1" required
      defaultValue=${localTime(Number(params.get('time')) || Date.now() - 3600000)} /></label>`}
    <label>Contains <input name="contains" type="search" defaultValue=${params.get('contains') || ''} /></label>
    <label>In <select name="in">${PLACES.map(([id, title]) => html`<option value=${id}
      selected=${id === (params.get('in') || '')}>${title}</option>`)}</select></label>
    <button type="submit">Show</button>
  </form>`;
}

export function Messages({ topic, params }) {
  const from = params.get('from') || 'newest';
  const place = {
    topic: topic.name,
    partition: params.get('partition') || 0,
    order: from === 'newest' ? 'newest' : 'oldest',
    offset: from === 'offset' ? params.get('offset') : '',
    time: from === 'time' ? params.get('time') : '',
    contains: params.get('contains'),
    in: params.get('in'),
  };
  const asked = JSON.stringify(place);
  const [state, setState] = useState({ rows: [] });
  const current = useRef(asked);
  current.current = asked;
  const load = async (before, offset) => {
    setState({ ...before, loading: true });
    try {
      const page = await api('messages', offset === undefined ? place : { ...place, time: '', offset });
      if (current.current === asked) {
        setState({ ...page, rows: before.rows.concat(page.rows), scanned: (before.scanned || 0) + page.scanned });
      }
    } catch (failure) {
      if (current.current === asked) setState({ ...before, failure: failure.message });
    }
  };
  useEffect(() => {
    load({ rows: [] });
  }, [asked]);
  return html`<${Form} key=${asked} topic=${topic} params=${params} />
    ${state.failure && html`<${Failure} text=${state.failure} />`}
    ${state.next !== undefined && html`<p class="quiet" role="status">
      Offsets ${number(state.start)} to ${number(state.end)}. ${counted(state.scanned, 'record')} read,
      ${' '}${number(state.rows.length)} shown.
      ${' '}<a href=${apiAddress('download', place)} download>Download as NDJSON</a></p>`}
    ${state.rows.length > 0 && html`<${Records} topic=${topic.name} rows=${state.rows} />`}
    ${state.loading && html`<p class="quiet" role="status">Loading…</p>`}
    ${!state.loading && state.next !== undefined && (state.done
      ? html`<p class="quiet">${state.rows.length ? 'No more records.' : 'No records here.'}</p>`
      : html`<p class="pager"><button type="button" onClick=${() => load(state, state.next)}>
          Go on from offset ${number(state.next)}</button></p>`)}`;
}

// ---- live ----

const MOST_ROWS = 200;

export function LiveTail({ topic, params }) {
  const [rows, setRows] = useState([]);
  const [skipped, setSkipped] = useState(0);
  const [status, setStatus] = useState('connecting');
  const [paused, setPaused] = useState(false);
  const contains = params.get('contains') || '';
  const partition = params.get('partition') || '';
  useEffect(() => {
    if (paused) return undefined;
    let source;
    const open = () => {
      source = new EventSource(apiAddress('tail', { topic: topic.name, partition, contains }));
      source.onopen = () => setStatus('live');
      source.onerror = () => setStatus('the connection is lost; trying again');
      source.onmessage = (event) => {
        const news = JSON.parse(event.data);
        setRows((before) => news.rows.reverse().concat(before).slice(0, MOST_ROWS));
        setSkipped((before) => before + news.skipped);
      };
    };
    // A browser has few connections to a broker, so a hidden page gives its own back.
    const visibility = () => {
      source?.close();
      source = null;
      if (!document.hidden) open();
    };
    visibility();
    document.addEventListener('visibilitychange', visibility);
    return () => {
      document.removeEventListener('visibilitychange', visibility);
      source?.close();
    };
  }, [topic.name, partition, contains, paused]);
  const submit = (event) => {
    event.preventDefault();
    location.hash = address(['topics', topic.name, 'live'], Object.fromEntries(new FormData(event.target)));
  };
  return html`<form class="bar" key=${partition + '/' + contains} onSubmit=${submit}>
      ${topic.partitions > 1 && html`<label>Partition <input name="partition" type="number" min="0"
        max=${topic.partitions - 1} placeholder="all" defaultValue=${partition} /></label>`}
      <label>Contains <input name="contains" type="search" defaultValue=${contains} /></label>
      <button type="submit">Filter</button>
      <button type="button" aria-pressed=${paused} onClick=${() => setPaused(!paused)}>Pause</button>
      <button type="button" onClick=${() => setRows([])}>Clear</button>
    </form>
    <p class="quiet" role="status">${paused ? 'Paused.' : status === 'live' ? 'Live: new records appear here.' : status}
      ${topic.partitions > 100 && !partition && ' Only the first 100 partitions are shown.'}
      ${skipped > 0 && ` ${number(skipped)} records were skipped, because they came too fast.`}</p>
    ${rows.length > 0 && html`<${Records} topic=${topic.name} rows=${rows} manyPartitions=${topic.partitions > 1} />`}`;
}
