// The settings of the broker or of a topic, with where each value comes from.
import { html, useState } from './lib/preact.js';
import { Failure, SearchBox, Shown, Table, useApi, useChange, useTitle, useWrites } from './base.js';

export function Settings({ params }) {
  useTitle('Settings');
  const [search, setSearch] = useState(params.get('search') || '');
  const [changed, setChanged] = useState(false);
  const state = useApi('settings', {});
  return html`<h1>Settings</h1>
    <${SearchBox} label="Search settings" value=${search} onValue=${setSearch} />
    <p><label class="check"><input type="checkbox" checked=${changed}
      onChange=${(event) => setChanged(event.target.checked)} /> only those that are not defaults</label></p>
    <${Shown} state=${state}>${(data) => html`<${SettingsTable} search=${search} settings=${
      data.settings.filter((setting) => !changed || setting.source !== 'default')} />`}<//>`;
}

// Without a topic, the settings can't be changed here.
export function SettingsTable({ settings, search, topic, onChanged }) {
  const writes = useWrites() && Boolean(topic);
  const shown = settings.filter((setting) => setting.name.includes(search.trim().toLowerCase()));
  if (!shown.length) return html`<p class="quiet" role="status">No setting fits.</p>`;
  return html`<${Table} label="Settings" columns=${['Name', 'Value', 'Source', ...(writes ? ['Change'] : [])]}>
    ${shown.map((setting) => html`<tr key=${setting.name}>
      <td class="name"><span title=${setting.help || ''}>${setting.name}</span></td>
      <td class="text">${setting.secret ? html`<span class="quiet">not shown</span>`
        : html`<code>${setting.value === '' ? '(empty)' : setting.value}</code>`}</td>
      <td title=${setting.others.map((other) => `${other.source}: ${other.value}`).join('\n')}>${setting.source}</td>
      ${writes && html`<td><${Change} topic=${topic} setting=${setting} onChanged=${onChanged} /></td>`}
    </tr>`)}
  <//>`;
}

function Change({ topic, setting, onChanged }) {
  const [open, setOpen] = useState(false);
  const [state, run] = useChange('topic-config');
  const close = async (fields) => {
    if (await run({ topic, name: setting.name, ...fields })) {
      setOpen(false);
      onChanged();
    }
  };
  const submit = (event) => {
    event.preventDefault();
    close({ value: new FormData(event.target).get('value') });
  };
  if (setting.fixed) return html`<span class="quiet">fixed</span>`;
  if (!open) {
    return html`<button type="button" aria-label=${'Change ' + setting.name}
      onClick=${() => setOpen(true)}>Change…</button>`;
  }
  return html`<form class="inline" onSubmit=${submit}>
    <input name="value" aria-label=${setting.name} defaultValue=${setting.value} autocomplete="off" />
    <button type="submit" disabled=${state.running}>Save</button>
    ${setting.source.includes('topic') && html`<button type="button" onClick=${() => close({})}>Default</button>`}
    <button type="button" onClick=${() => setOpen(false)}>Cancel</button>
    ${state.failure && html`<${Failure} text=${state.failure} />`}
  </form>`;
}
