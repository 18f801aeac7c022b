// Who may enter, what they may do, and how much.
import { html } from './lib/preact.js';
import { number, Shown, Table, useApi, useTitle } from './base.js';

const shown = (data) => (data.rows.length < data.count ? `${number(data.rows.length)} of ${number(data.count)}`
  : number(data.count));

function Part({ title, page, empty, columns, row }) {
  const state = useApi(page, {}, 10000);
  return html`<h2>${title} <span class="quiet">${state.data && state.data.count > 0 && shown(state.data)}</span></h2>
    <${Shown} state=${state} empty=${state.data && state.data.isOn === false
      ? 'Every client may do everything: authorizer.class.name is not set.' : empty} isEmpty=${(data) => !data.count}>
    ${(data) => html`<${Table} label=${title} columns=${columns}>${data.rows.map(row)}<//>`}
  <//>`;
}

const user = (of) => html`<tr key=${of.name}><td class="name">${of.name}</td>
  <td>${of.credentials.map((one) => `${one.mechanism} (${number(one.iterations)} rounds)`).join(', ')}</td></tr>`;

const rule = (of) => html`<tr><td class="name">${of.principal}</td><td>${of.host}</td>
  <td>${of.denies ? html`<strong>deny</strong>` : 'allow'}</td><td>${of.operation}</td><td>${of.type}</td>
  <td class="name">${of.name}${of.prefixed && html` <span class="tag">and what begins so</span>`}</td></tr>`;

const quota = (of) => html`<tr>
  <td class="name">${of.of.map((one) => `${one.type} ${one.name === null ? '(default)' : one.name}`).join(', ')}</td>
  <td>${of.limits.map((one) => `${one.key} = ${number(Number(one.value))}`).join(', ')}</td></tr>`;

export function Access() {
  useTitle('Access');
  return html`<h1>Access</h1>
    <${Part} title="Users" page="users" empty="No user has a SCRAM password." columns=${['Name', 'Passwords']}
      row=${user} />
    <${Part} title="Rules" page="rules" empty="There are no rules."
      columns=${['Who', 'From', '', 'What', 'Kind', 'Of which']} row=${rule} />
    <${Part} title="Quotas" page="quotas" empty="There are no quotas." columns=${['Whose', 'Limits']} row=${quota} />`;
}
