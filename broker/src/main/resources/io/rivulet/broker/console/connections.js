// Open connections, and the versions of clients.
import { html } from './lib/preact.js';
import { age, number, SearchBox, Shown, Table, useApi, useSearch, useTitle } from './base.js';

const library = (row) => `${row.software} ${row.version}`.trim();

export function Connections({ params }) {
  useTitle('Connections');
  const [search, setSearch, settled] = useSearch('connections', params);
  const columns = (users) => ['Client', ...(users ? ['User'] : []), 'Library', 'Address', 'Listener', '#Last request'];
  const state = useApi('connections', { search: settled }, 3000);
  return html`<h1>Connections</h1>
    <${SearchBox} label="Search by client, library or address" value=${search} onValue=${setSearch} />
    <${Shown} state=${state}>${(data) => html`
      <p class="quiet" role="status">${number(data.count)} of ${number(data.all)} connections
        ${data.count > data.rows.length && html`, ${number(data.rows.length)} shown`}</p>
      ${data.rows.length > 0 && html`<${Table} label="Connections"
          columns=${columns(data.rows.some((row) => row.user))}>
        ${data.rows.map((row) => html`<tr key=${row.address}>
          <td class="name">${row.id || html`<span class="quiet">unknown</span>`}</td>
          ${data.rows.some((other) => other.user) && html`<td class="name">${row.user}</td>`}
          <td>${library(row) || html`<span class="quiet">unknown</span>`}</td>
          <td class="time">${row.address}</td><td>${row.listener}</td>
          <td class="number">${age(row.idleMillis)}</td></tr>`)}<//>`}
      ${data.versions.length > 0 && html`<h2>Libraries</h2>
        <${Table} label="Libraries" columns=${['Library', '#Connections']}>
          ${data.versions.map((row) => html`<tr key=${row.version}>
            <td>${row.version || html`<span class="quiet">unknown</span>`}</td>
            <td class="number">${number(row.count)}</td></tr>`)}<//>`}`}
    <//>`;
}
