// Transactional ids, and the producers of a partition.
import { html } from './lib/preact.js';
import { address, counted, number, replaceAddress, SearchBox, Shown, Table, time, useApi, useSearch, useTitle }
  from './base.js';

const when = (millis) => (millis > 0 ? time(millis) : '–');

export function Transactions({ params }) {
  useTitle('Transactions');
  const after = params.get('after') || '';
  const open = params.get('open') || '';
  const [search, setSearch, settled] = useSearch('transactions', params, { open });
  const state = useApi('transactions', { search: settled, after, open }, 3000);
  return html`<h1>Transactions</h1>
    <${SearchBox} label="Search transactional ids" value=${search} onValue=${setSearch} />
    <p><label class="check"><input type="checkbox" checked=${open === 'true'}
      onChange=${(event) => replaceAddress(['transactions'],
        { search: settled, open: event.target.checked ? 'true' : '' })} /> only open transactions</label></p>
    <${Shown} state=${state} empty=${settled || open ? 'No transactional id fits.' : 'There are no transactional ids.'}
      isEmpty=${(data) => !data.rows.length}>
      ${(data) => html`
        <p class="quiet" role="status">${counted(data.count, 'transactional id')}</p>
        <${Table} label="Transactions"
          columns=${['Transactional id', 'State', 'Last began', '#Producer', '#Epoch', '#Timeout', 'Topics']}>
          ${data.rows.map((row) => html`<tr key=${row.id}>
            <td class="name">${row.id}</td><td>${row.state}</td><td class="time">${when(row.began)}</td>
            <td class="number">${row.producer}</td><td class="number">${row.epoch}</td>
            <td class="number">${number(row.timeoutMillis / 1000)} s</td>
            <td class="name">${row.topics.map((of) => html`<a href=${address(['topics', of.topic])}>${of.topic}</a>
              ${` × ${of.partitions} `}`)}${row.topicCount > row.topics.length && '…'}</td></tr>`)}
        <//>
        <p class="pager">
          ${after && html`<a class="button"
            href=${address(['transactions'], { search: settled, open })}>First page</a>`}
          ${data.more && html`<a class="button" href=${address(['transactions'],
            { search: settled, open, after: data.rows[data.rows.length - 1].id })}>Next page</a>`}
        </p>`}
    <//>`;
}

export function Producers({ topic, partition }) {
  const state = useApi('producers', { topic, partition }, 3000);
  return html`<h2>Producers of partition ${partition}</h2>
    <${Shown} state=${state} empty="No idempotent producer has written here lately." isEmpty=${(data) => !data.count}>
    ${(data) => html`<p class="quiet" role="status">${counted(data.count, 'producer')}</p>
      <${Table} label="Producers"
        columns=${['#Producer', '#Epoch', '#Last sequence', 'Last record', '#Open transaction']}>
      ${data.rows.map((row) => html`<tr key=${row.id}>
        <td class="number">${row.id}</td><td class="number">${row.epoch}</td><td class="number">${row.sequence}</td>
        <td class="time">${when(row.time)}</td>
        <td class="number">${row.transactionStart < 0 ? '–' : html`<a href=${address(['topics', topic, 'messages'],
          { partition, from: 'offset', offset: row.transactionStart })}>from offset ${row.transactionStart}</a>`}</td>
      </tr>`)}<//>`}
  <//>`;
}
