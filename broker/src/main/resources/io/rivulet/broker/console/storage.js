// Where the records are: which queues each block file has, and what of it is in the cache.
import { html } from './lib/preact.js';
import { age, bytes, counted, Fact, number, Shown, Table, useApi, useTitle } from './base.js';

const COMPACTED = 256;
const WIDTH = 1000;
const BAR = 14;
const MOST_BARS = 60;

const share = (part, whole) => (whole > 0 ? part / whole : 0);
const percent = (part, whole) => Math.round(100 * share(part, whole)) + ' %';

const generation = (file) => (file.level < COMPACTED ? String(file.level) : `compacted ${file.level - COMPACTED + 1}`);

// The newest records first, which is also the order in which a reader looks for them.
const newestFirst = (files) => [...files].sort((a, b) => b.lastCycle - a.lastCycle || a.firstQueue - b.firstQueue);

// Files whose queues do not overlap share a bar, as the files of one sweep or of one merge do.
function bars(files) {
  const result = [];
  for (const file of newestFirst(files)) {
    const bar = result.find((of) => of.level === file.level && of.lastCycle === file.lastCycle
      && of.files.every((other) => file.firstQueue > other.lastQueue || file.lastQueue < other.firstQueue));
    if (bar) bar.files.push(file);
    else result.push({ level: file.level, lastCycle: file.lastCycle, files: [file] });
  }
  return result;
}

function Block({ file, queues, top }) {
  const x = WIDTH * share(file.firstQueue, queues);
  const width = Math.max(2, WIDTH * share(file.lastQueue + 1 - file.firstQueue, queues));
  const hot = share(file.cachedBytes, file.bytes);
  return html`<g>
    <title>${file.name}: ${bytes(file.bytes)}, queues ${number(file.firstQueue)} to ${number(file.lastQueue)},
      generation ${generation(file)}, ${percent(file.cachedBytes, file.bytes)} in the cache</title>
    <rect class="cold" x=${x} y=${top} width=${width} height=${BAR} />
    <rect class="hot" x=${x} y=${top} width=${width * hot} height=${BAR} />
  </g>`;
}

function Map({ data }) {
  const rows = bars(data.files).slice(0, MOST_BARS);
  const height = (rows.length + 1) * (BAR + 4);
  return html`<svg class="map card" viewBox="0 0 ${WIDTH} ${height}" role="img"
      aria-label="Block files by the queues that they have; the table below says the same">
    <g><title>In the tail: ${bytes(data.tailBytes)} of ${bytes(data.tailMostBytes)}</title>
      <rect class="cold" x="0" y="0" width=${WIDTH} height=${BAR} />
      <rect class="tail" x="0" y="0" width=${WIDTH * share(data.tailBytes, data.tailMostBytes)} height=${BAR} /></g>
    ${rows.map((bar, i) => bar.files.map((file) => html`<${Block} key=${file.name} file=${file}
      queues=${data.queues} top=${(i + 1) * (BAR + 4)} />`))}
  </svg>`;
}

const Files = ({ data }) => html`<${Table} label="Block files"
    columns=${['File', 'Generation', 'Queues', '#Blocks', '#Records', '#Size', '#In the log', '#In the cache',
      '#Written']}>
  ${newestFirst(data.files).map((file) => html`<tr key=${file.name}>
    <td>${file.name}</td><td>${generation(file)}</td>
    <td>${number(file.queues)} of ${number(file.firstQueue)} to ${number(file.lastQueue)}</td>
    <td class="number">${number(file.blocks)}</td><td class="number">${number(file.offsets)}</td>
    <td class="number">${bytes(file.bytes)}</td><td class="number">${bytes(file.referencedBytes)}</td>
    <td class="number">${percent(file.cachedBytes, file.bytes)}</td>
    <td class="number">${age(Math.max(0, Date.now() - file.written))} ago</td></tr>`)}
<//>`;

export function Storage() {
  useTitle('Storage');
  const state = useApi('storage', {}, 5000);
  return html`<h1>Storage</h1>
    <${Shown} state=${state}>${(data) => html`
      <dl class="card facts">
        <${Fact} title="Tail (memory, newest records)">${bytes(data.tailBytes)} of ${bytes(data.tailMostBytes)}
          <meter min="0" max=${data.tailMostBytes} value=${data.tailBytes} aria-label="tail in use" /><//>
        <${Fact} title="Log">${bytes(data.logBytes)}<//>
        <${Fact} title="Block files">${counted(data.fileCount, 'file')}, ${bytes(data.fileBytes)}<//>
        <${Fact} title="Of them in the cache">${bytes(data.cachedBytes)}<//>
        <${Fact} title="Queues">ids up to ${number(data.queues)}<//>
      </dl>
      <h2>Map</h2>
      <p class="quiet">From left to right: queues by their id. At the top the tail, below it the block files, the newest
        first. The coloured part of a file is in the cache.</p>
      <${Map} data=${data} />
      <h2>Block files <span class="quiet">${data.files.length < data.fileCount
        ? `the ${number(data.files.length)} largest` : number(data.fileCount)}</span></h2>
      ${data.files.length ? html`<${Files} data=${data} />` : html`<p class="quiet">All records are in the tail and the
        log. The first sweep writes block files.</p>`}`}
    <//>`;
}
