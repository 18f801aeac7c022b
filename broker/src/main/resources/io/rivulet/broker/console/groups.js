// The list of groups, and one group with members, offsets and lag.
import { html, useState } from './lib/preact.js';
import { address, age, counted, Failure, number, SearchList, Shown, SureButton, Table, useApi, useChange, useTitle,
  useWrites } from './base.js';

export const Groups = ({ params }) => html`<${SearchList} title="Groups" what="group" params=${params}
  columns=${['Name', 'Protocol', 'State']} nameOf=${(group) => group.id} row=${(group) => html`<tr key=${group.id}>
    <td class="name"><a href=${address(['groups', group.id])}>${group.id || '(empty)'}</a></td>
    <td>${group.type}</td><td>${group.state}</td></tr>`} />`;

const KINDS = { consumer: 'consumer protocol', classic: 'classic protocol', share: 'share group',
  streams: 'streams group' };

export function GroupPage({ id, params }) {
  useTitle(id);
  const writes = useWrites();
  const [deletion, remove] = useChange('group-delete');
  const state = useApi(deletion.done ? '' : 'group', { id }, 3000);
  if (deletion.done) {
    return html`<p class="path"><a href=${address(['groups'])}>Groups</a></p>
      <p role="status">Group “${id}” is deleted.</p>`;
  }
  return html`<p class="path"><a href=${address(['groups'])}>Groups</a></p>
    <h1 class="name">${id}</h1>
    <${Shown} state=${state}>${(group) => html`
      <p><span class="tag">${group.state}</span> ${KINDS[group.type] || group.type}
        ${group.assignor && ', assignor ' + group.assignor}</p>
      ${deletion.failure && html`<${Failure} text=${deletion.failure} />`}
      <${Offsets} id=${id} params=${params} shared=${group.type === 'share'}
        canReset=${writes && !group.memberCount} />
      <h2>Members <span class="quiet">${number(group.memberCount)}</span></h2>
      <${Members} members=${group.members} />
      ${writes && (group.memberCount ? html`<p class="quiet">Offsets can be set, and the group deleted, when it has no
        members.</p>` : html`<p><${SureButton} label="Delete the group" sure="Delete the group and its offsets"
          onSure=${() => remove({ id })} /></p>`)}`}
    <//>`;
}

function Members({ members }) {
  if (!members.length) return html`<p class="quiet">No member is connected.</p>`;
  return html`<${Table} label="Members" columns=${['Client', 'Host', 'Member', 'Assigned']}>
    ${members.map((member) => html`<tr key=${member.id}>
      <td class="name">${member.client}</td><td>${member.host}</td>
      <td class="name">${member.instance ? member.instance + ' · ' : ''}${member.id}</td>
      <td class="name">${member.assigned.map((of) => `${of.topic} × ${of.partitions}`).join(', ') || '–'}</td>
    </tr>`)}
  <//>`;
}

// A share group has a start offset in each partition, and acknowledges the records after it one by one.
function Offsets({ id, params, shared, canReset }) {
  const from = Number(params.get('from')) || 0;
  const [version, setVersion] = useState(0);
  const state = useApi(shared ? 'share-offsets' : 'group-offsets', { id, from }, 3000, version);
  const page = (at) => address(['groups', id], { from: at });
  const columns = ['Topic', '#Partition', shared ? '#Start' : '#Committed', '#End', '#Lag',
    ...(shared ? [] : ['#Behind']), ...(canReset ? ['Set'] : [])];
  return html`<h2>Offsets</h2>
    <${Shown} state=${state} isEmpty=${(data) => !data.count}
      empty=${shared ? 'The group has read no partition yet.' : 'The group has committed no offsets.'}>
    ${(data) => html`<p class="quiet" role="status">${counted(data.count, 'partition')}. Lag in all:
        ${' '}<strong>${counted(data.lag, 'record')}</strong></p>
      <${Table} label="Offsets" columns=${columns}>
        ${data.rows.map((row) => html`<tr key=${row.topic + '/' + row.partition}>
          <td class="name"><a href=${address(['topics', row.topic, 'messages'],
            { partition: row.partition, from: 'offset', offset: row.offset })}>${row.topic}</a></td>
          <td class="number">${row.partition}</td><td class="number">${number(row.offset)}</td>
          <td class="number">${number(row.end)}</td><td class="number">${number(row.lag)}</td>
          ${!shared && html`<td class="number">${behind(row)}</td>`}
          ${canReset && html`<td><${Reset} id=${id} row=${row} change=${shared ? 'share-offset' : 'group-offset'}
            onChanged=${() => setVersion(version + 1)} /></td>`}
          </tr>`)}
      <//>
      <p class="pager">
        ${from > 0 && html`<a class="button" href=${page(Math.max(0, from - 100))}>Before</a>`}
        ${from + data.rows.length < data.count && html`<a class="button" href=${page(from + 100)}>Next</a>`}
      </p>`}
  <//>`;
}

// The age of the oldest record that the group has not consumed.
const behind = (row) => (row.ageMillis === undefined ? (row.lag ? '–' : '0 s') : age(row.ageMillis));

// Sets the offset of one partition.
function Reset({ id, row, change, onChanged }) {
  const [open, setOpen] = useState(false);
  const [offset, setOffset] = useState('');
  const [state, run] = useChange(change);
  const what = `offset of ${row.topic} partition ${row.partition}`;
  if (!open) {
    return html`<button type="button" aria-label=${'Set the ' + what} onClick=${() => {
      setOffset(row.offset);
      setOpen(true);
    }}>Set…</button>`;
  }
  const submit = async (event) => {
    event.preventDefault();
    if (await run({ id, topic: row.topic, partition: row.partition, offset })) {
      setOpen(false);
      onChanged();
    }
  };
  return html`<form class="inline" onSubmit=${submit}>
    <input type="number" min="0" required aria-label=${what} value=${offset}
      onInput=${(event) => setOffset(event.target.value)} />
    <button type="button" onClick=${() => setOffset(row.start)}>First</button>
    <button type="button" onClick=${() => setOffset(row.end)}>End</button>
    <button type="submit" disabled=${state.running}>Set</button>
    <button type="button" onClick=${() => setOpen(false)}>Cancel</button>
    ${state.failure && html`<${Failure} text=${state.failure} />`}
  </form>`;
}
