// The frame of all pages, and the way from an address to its page.
import { html, render, useEffect, useRef, useState } from './lib/preact.js';
import { address, Failure, stateOfBroker, useRoute, useSession } from './base.js';
import { Follower, Overview } from './overview.js';
import { TopicPage, Topics } from './topics.js';
import { GroupPage, Groups } from './groups.js';
import { Settings } from './settings.js';
import { Transactions } from './transactions.js';
import { Connections } from './connections.js';
import { Storage } from './storage.js';
import { Access } from './access.js';

// Address, title, and what a user must see to see the page.
const PAGES = [
  ['overview', 'Overview'],
  ['topics', 'Topics'],
  ['groups', 'Groups'],
  ['transactions', 'Transactions'],
  ['connections', 'Connections', 'seesAll'],
  ['storage', 'Storage', 'seesAll'],
  ['access', 'Access', 'seesAll'],
  ['settings', 'Settings', 'seesSettings'],
];

function page({ parts, params }) {
  const [first, second, third] = parts;
  if (first === 'overview') return html`<${Overview} />`;
  if (first === 'topics' && !second) return html`<${Topics} params=${params} />`;
  if (first === 'topics') return html`<${TopicPage} name=${second} tab=${third || 'messages'} params=${params} />`;
  if (first === 'groups' && !second) return html`<${Groups} params=${params} />`;
  if (first === 'groups') return html`<${GroupPage} id=${second} params=${params} />`;
  if (first === 'transactions') return html`<${Transactions} params=${params} />`;
  if (first === 'connections') return html`<${Connections} params=${params} />`;
  if (first === 'storage') return html`<${Storage} />`;
  if (first === 'access') return html`<${Access} />`;
  if (first === 'settings') return html`<${Settings} params=${params} />`;
  return html`<${Failure} text="There is no such page." />`;
}

// A broker of a cluster that passes clients on to the owner, or would if there were one.
const FOLLOWS = /^(not )?ready: /;

// "ready", or what is wrong with the broker. When it no longer follows, the page begins again.
function useBrokerState() {
  const [state, setState] = useState('ready');
  const follows = useRef(false);
  useEffect(() => {
    const look = async () => {
      if (document.hidden) return;
      const now = await stateOfBroker();
      if (follows.current && now === 'ready') location.reload();
      follows.current ||= FOLLOWS.test(now);
      setState(now);
    };
    look();
    const timer = setInterval(look, 5000);
    return () => clearInterval(timer);
  }, []);
  return state;
}

function App() {
  const route = useRoute();
  const parts = route.parts.length ? route.parts : ['overview'];
  const main = useRef();
  const session = useSession();
  const state = useBrokerState();
  const content = FOLLOWS.test(state) ? html`<${Follower} state=${state.replace(FOLLOWS, '')} />`
    : html`${state !== 'ready' && html`<${Failure} text=${state} />`}${page({ parts, params: route.params })}`;
  const path = parts.join('/');
  useEffect(() => scrollTo(0, 0), [path]);
  return html`
    <a class="skip" href="#main" onClick=${(event) => {
      event.preventDefault();
      main.current.focus();
    }}>To the content</a>
    <header>
      <a class="brand" href=${address([])}>Rivulet</a>
      <nav aria-label="Pages">
        ${PAGES.filter(([, , need]) => !need || session[need] !== false).map(([name, title]) => html`<a href=${address([name])}
          aria-current=${parts[0] === name ? 'page' : undefined}>${title}</a>`)}
      </nav>
      ${session.user && html`<span class="user quiet" title="Who you are for the broker">${session.user}</span>`}
    </header>
    <main id="main" tabindex="-1" ref=${main}>${content}</main>`;
}

render(html`<${App} />`, document.getElementById('app'));
