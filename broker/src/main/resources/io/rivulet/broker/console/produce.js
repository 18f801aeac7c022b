// A form that appends a record.
import { html, useState } from './lib/preact.js';
import { address, Failure, ReadOnly, useChange, useWrites } from './base.js';

// Where the record is now.
export function Stored({ state }) {
  if (state.failure) return html`<${Failure} text=${state.failure} />`;
  if (!state.done) return null;
  const { topic, partition, offset } = state.done;
  return html`<p role="status">Stored at <a href=${address(['topics', topic, 'messages'],
    { partition, from: 'offset', offset })}>offset ${offset} of partition ${partition}</a>.</p>`;
}

// Lines of "name: value".
const headersOf = (text) => text.split('\n').filter((line) => line.trim()).flatMap((line) => {
  const [name, value] = line.split(/:\s?(.*)/s);
  return [['header-name', name], ['header-value', value || '']];
});

function Field({ name, title, rows }) {
  const [isNull, setNull] = useState(name === 'key');
  return html`<div class="field">
    <label>${title} <textarea name=${name} rows=${rows} disabled=${isNull} spellcheck="false"></textarea></label>
    <label class="check"><input type="checkbox" name=${name + '-null'} checked=${isNull}
      onChange=${(event) => setNull(event.target.checked)} /> no ${title.toLowerCase()} (null)</label>
  </div>`;
}

export function Produce({ topic }) {
  const writes = useWrites();
  const [state, run] = useChange('produce');
  if (!writes) return html`<${ReadOnly} />`;
  if (topic.internal) return html`<p class="quiet">The broker alone writes to this topic.</p>`;
  const submit = (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const given = ['key', 'value'].filter((name) => form.get(name) !== null).map((name) => [name, form.get(name)]);
    run([['topic', topic.name], ['partition', form.get('partition')], ...given, ...headersOf(form.get('headers'))]);
  };
  return html`<form class="produce" onSubmit=${submit}>
      <label>Partition <input name="partition" type="number" min="0" max=${topic.partitions - 1} defaultValue="0"
        required /></label>
      <${Field} name="key" title="Key" rows="2" />
      <${Field} name="value" title="Value" rows="8" />
      <label>Headers, one “name: value” in a line
        <textarea name="headers" rows="3" spellcheck="false"></textarea></label>
      <p><button type="submit" class="main" disabled=${state.running}>Produce</button></p>
    </form>
    <${Stored} state=${state} />`;
}
