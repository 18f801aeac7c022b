// What all pages share: requests, addresses, formats, and a few components.
import { html, useEffect, useRef, useState } from './lib/preact.js';

// ---- requests ----

const query = (params) => {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length ? '?' + new URLSearchParams(given) : '';
};

export const apiAddress = (name, params = {}) => 'api/' + name + query(params);

const NO_ANSWER = 'The broker does not answer.';

// Sends a request. Returns the data of the answer, or throws what the broker says; with the status, if it answered.
async function ask(url, options) {
  let response;
  try {
    response = await fetch(url, options);
  } catch (failure) {
    if (failure.name === 'AbortError') throw failure;
    throw new Error(NO_ANSWER);
  }
  if (!response.ok) {
    const text = (await response.text()).trim() || 'status ' + response.status;
    throw Object.assign(new Error(text), { status: response.status });
  }
  return response.json();
}

export const api = (name, params, signal) => ask(apiAddress(name, params), { signal });

// Whether the broker serves clients: "ready", or what is wrong.
export async function stateOfBroker() {
  try {
    return (await (await fetch(apiAddress('state'))).text()).trim();
  } catch {
    return NO_ANSWER;
  }
}

// The broker that the page is of, with the token for changes, which a new start of the broker makes invalid.
let session;
const theSession = () => {
  session ??= api('broker').catch((failure) => {
    session = null;
    throw failure;
  });
  return session;
};

// Sends a change. Fields are an object, or a list of pairs.
export async function change(name, fields) {
  const { token } = await theSession();
  try {
    return await ask(apiAddress(name), {
      method: 'POST',
      headers: { 'X-Rivulet-Token': token || '' },
      body: new URLSearchParams(fields),
    });
  } catch (failure) {
    if (failure.status === 403) session = null;
    throw failure;
  }
}

// Who asks, and what that user sees: user, seesAll, seesSettings, token. Empty as long as it is not known.
export function useSession() {
  const [data, setData] = useState({});
  useEffect(() => {
    theSession().then(setData, () => setData({}));
  }, []);
  return data;
}

// Whether something can be changed.
export const useWrites = () => Boolean(useSession().token);

// A change and what came of it: [state, run], where state is {running, failure, done}.
export function useChange(name) {
  const [state, setState] = useState({});
  const run = async (fields) => {
    setState({ running: true });
    try {
      const done = await change(name, fields);
      setState({ done });
      return done;
    } catch (failure) {
      setState({ failure: failure.message });
      return null;
    }
  };
  return [state, run];
}

// The data of a page: {data, failure, loading}. Old data stays until new data is there. Without a name there is none.
export function useApi(name, params, everyMillis = 0, version = 0) {
  const [state, setState] = useState({ loading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!name) return undefined;
    const abort = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    api(name, params, abort.signal)
      .then((data) => setState({ data, loading: false }))
      .catch((failure) => failure.name !== 'AbortError' && setState({ failure: failure.message, loading: false }));
    return () => abort.abort();
  }, [name, JSON.stringify(params), round, version]);
  useEffect(() => {
    if (!everyMillis) return undefined;
    const timer = setInterval(() => document.hidden || setRound((before) => before + 1), everyMillis);
    return () => clearInterval(timer);
  }, [everyMillis]);
  return state;
}

// ---- addresses: #/topics/NAME/messages?partition=1 ----

export const address = (parts, params = {}) => '#/' + parts.map(encodeURIComponent).join('/') + query(params);

const decode = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const route = () => {
  const [path, params] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return { parts: path.split('/').filter(Boolean).map(decode), params: new URLSearchParams(params || '') };
};

export function useRoute() {
  const [now, setNow] = useState(route);
  useEffect(() => {
    const changed = () => setNow(route());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return now;
}

// Changes the address without a new entry in the history.
export const replaceAddress = (parts, params) => {
  history.replaceState(null, '', address(parts, params));
  dispatchEvent(new HashChangeEvent('hashchange'));
};

// ---- formats ----

const grouped = new Intl.NumberFormat('en');
export const number = (value) => (value === undefined || value === null ? '–' : grouped.format(value));

export const counted = (value, what) => number(value) + ' ' + what + (value === 1 ? '' : 's');

export function bytes(value) {
  if (value === undefined || value === null || Number.isNaN(value)) return '–';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let left = value;
  for (; left >= 1024 && unit < units.length - 1; unit++) left /= 1024;
  return (unit && left < 100 ? left.toFixed(1) : Math.round(left)) + ' ' + units[unit];
}

export function time(millis) {
  const date = new Date(millis);
  if (millis < 0 || Number.isNaN(date.getTime())) return String(millis);
  const two = (part, width = 2) => String(part).padStart(width, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${two(date.getMilliseconds(), 3)}`;
}

// How long ago something was.
export function age(millis) {
  if (millis < 1000) return '< 1 s';
  if (millis < 120000) return `${Math.round(millis / 1000)} s`;
  return millis < 7200000 ? `${Math.round(millis / 60000)} min` : `${number(Math.round(millis / 3600000))} h`;
}

// ---- components ----

// A value that changes only after the user has paused.
function useSettled(value, millis = 120) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), millis);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export const Failure = ({ text }) => html`<p class="failure" role="alert">${text}</p>`;

// An entry of a list of facts.
export const Fact = ({ title, children }) => html`<div class="fact"><dt>${title}</dt><dd>${children}</dd></div>`;

export const ReadOnly = () => html`<p class="quiet">The console only reads.
  ${' '}<code>rivulet.console.writes=true</code> allows changes.</p>`;

// A button that asks again before it acts.
export function SureButton({ label, sure, onSure }) {
  const [asked, setAsked] = useState(false);
  if (!asked) return html`<button type="button" onClick=${() => setAsked(true)}>${label}</button>`;
  return html`<span class="sure" role="group" aria-label=${sure}>
    <button type="button" class="danger" onClick=${() => {
      setAsked(false);
      onSure();
    }}>${sure}</button> <button type="button" onClick=${() => setAsked(false)}>Cancel</button></span>`;
}

// Shows the failure, or what is there, or that nothing is there.
export function Shown({ state, empty, isEmpty, children }) {
  if (state.failure) return html`<${Failure} text=${state.failure} />`;
  if (!state.data) return html`<p class="quiet" role="status">Loading…</p>`;
  if (isEmpty && isEmpty(state.data)) return html`<p class="quiet" role="status">${empty}</p>`;
  return children(state.data);
}

export function Table({ label, columns, children }) {
  return html`<div class="wide" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead><tr>${columns.map((column) => html`<th class=${column[0] === '#' ? 'number' : ''} scope="col">
        ${column.replace('#', '')}</th>`)}</tr></thead>
      <tbody>${children}</tbody>
    </table>
  </div>`;
}

export function SearchBox({ label, value, onValue }) {
  const box = useRef();
  useEffect(() => box.current.focus(), []);
  return html`<input type="search" ref=${box} class="search" placeholder=${label} aria-label=${label} value=${value}
    autocomplete="off" spellcheck="false" onInput=${(event) => onValue(event.target.value)} />`;
}

// A text to search for, which the address keeps: [text, setText, the text after the user has paused].
export function useSearch(page, params, others = {}) {
  const [search, setSearch] = useState(params.get('search') || '');
  const settled = useSettled(search);
  useEffect(() => {
    if (settled !== (params.get('search') || '')) replaceAddress([page], { search: settled, ...others });
  }, [settled]);
  return [search, setSearch, settled];
}

// A list that is searched by a part of the name as the user types, page by page. The search is in the address.
export function SearchList({ title, what, params, columns, nameOf, row }) {
  const name = title.toLowerCase();
  useTitle(title);
  const [search, setSearch, settled] = useSearch(name, params);
  const after = params.get('after') || '';
  const state = useApi(name, { search: settled, after });
  return html`<h1>${title}</h1>
    <${SearchBox} label=${`Search ${name} by a part of their name`} value=${search} onValue=${setSearch} />
    <${Shown} state=${state}
      empty=${settled ? `No ${what} has “${settled}” in its name.` : `There are no ${name} yet.`}
      isEmpty=${(data) => !data.rows.length}>
      ${(data) => html`
        <p class="quiet" role="status">${data.all === undefined ? counted(data.count, what)
          : `${number(data.count)} of ${number(data.all)} ${name}`}</p>
        <${Table} label=${title} columns=${columns}>${data.rows.map(row)}<//>
        <p class="pager">
          ${after && html`<a class="button" href=${address([name], { search: settled })}>First page</a>`}
          ${data.more && html`<a class="button" href=${address([name],
            { search: settled, after: nameOf(data.rows[data.rows.length - 1]) })}>Next page</a>`}
        </p>`}
    <//>`;
}

export const useTitle = (text) => useEffect(() => {
  document.title = text + ' · Rivulet';
}, [text]);
