// The list of topics, and one topic with its partitions and settings.
import { html, useState } from './lib/preact.js';
import { address, bytes, number, SearchList, Shown, Table, useApi, useTitle } from './base.js';
import { LiveTail, Messages } from './messages.js';
import { Produce } from './produce.js';
import { Producers } from './transactions.js';
import { SettingsTable } from './settings.js';

export const Topics = ({ params }) => html`<${SearchList} title="Topics" what="topic" params=${params}
  columns=${['Name', '#Partitions', '#Records', '#Size']} nameOf=${(topic) => topic.name}
  row=${(topic) => html`<tr key=${topic.name}>
    <td class="name"><a href=${address(['topics', topic.name])}>${topic.name}</a>
      ${topic.internal && html` <span class="tag">internal</span>`}</td>
    <td class="number">${number(topic.partitions)}</td>
    <td class="number">${number(topic.records)}</td>
    <td class="number">${bytes(topic.bytes)}</td>
  </tr>`} />`;

const TABS = [['messages', 'Messages'], ['live', 'Live'], ['produce', 'Produce'], ['partitions', 'Partitions'],
  ['settings', 'Settings']];

export function TopicPage({ name, tab, params }) {
  useTitle(name);
  const [version, setVersion] = useState(0);
  const state = useApi('topic', { name }, 0, version);
  return html`<p class="path"><a href=${address(['topics'])}>Topics</a></p>
    <h1 class="name">${name}</h1>
    <nav class="tabs" aria-label="Topic">${TABS.map(([id, title]) => html`<a href=${address(['topics', name, id])}
      aria-current=${id === tab ? 'page' : undefined}>${title}</a>`)}</nav>
    <${Shown} state=${state}>${(topic) => html`
      ${tab === 'messages' && html`<${Messages} key=${name} topic=${topic} params=${params} />`}
      ${tab === 'live' && html`<${LiveTail} key=${name} topic=${topic} params=${params} />`}
      ${tab === 'partitions' && html`<${Partitions} topic=${topic} params=${params} />`}
      ${tab === 'produce' && html`<${Produce} key=${name} topic=${topic} />`}
      ${tab === 'producers' && html`<${Producers} topic=${name} partition=${params.get('partition') || 0} />`}
      ${tab === 'settings' && html`<p class="quiet">Topic id ${topic.id}</p>
        <${SettingsTable} settings=${topic.config.settings} search="" topic=${topic.internal ? '' : name}
          onChanged=${() => setVersion(version + 1)} />`}`}
    <//>`;
}

function Partitions({ topic, params }) {
  const from = Number(params.get('from')) || 0;
  const state = useApi('partitions', { topic: topic.name, from });
  const page = (at) => address(['topics', topic.name, 'partitions'], { from: at });
  return html`<${Shown} state=${state} empty="There are no partitions here." isEmpty=${(data) => !data.rows.length}>
    ${(data) => html`<${Table} label="Partitions"
        columns=${['#Partition', '#First offset', '#End offset', '#Records', '#In the tail', '#Size', '']}>
      ${data.rows.map((row) => html`<tr key=${row.partition}>
        <td class="number">${row.partition}</td>
        <td class="number">${number(row.start)}</td>
        <td class="number">${number(row.end)}</td>
        <td class="number">${number(row.end - row.start)}</td>
        <td class="number">${number(row.end - Math.max(row.start, row.tail))}</td>
        <td class="number">${bytes(row.bytes)}</td>
        <td><a href=${address(['topics', topic.name, 'messages'], { partition: row.partition })}>messages</a>
          ${' · '}<a href=${address(['topics', topic.name, 'producers'],
            { partition: row.partition })}>producers</a></td>
      </tr>`)}
      <//>
      <p class="pager">
        ${from > 0 && html`<a class="button" href=${page(Math.max(0, from - 100))}>Before</a>`}
        ${from + data.rows.length < data.count && html`<a class="button" href=${page(from + 100)}>Next</a>`}
      </p>`}
  <//>`;
}
