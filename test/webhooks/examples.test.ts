import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { toPullRequest } from '../../src/adapters/github/pull-request-payload.ts';
import { isHandled } from '../../src/bot/handlers.ts';
import { anInstallation, fakeGitHub } from '../support/fakes.ts';
import type { Json } from '../support/fixtures.ts';
import { APP, STORY, startBot } from './bot.ts';

type Event = { name: string; examples: Record<string, Json>[] };
/** GitHub's examples of its webhooks. */
const EXAMPLES = createRequire(import.meta.url)('@octokit/webhooks-examples') as Event[];

const OURS = [
  ...['branch_protection_rule', 'check_run', 'check_suite', 'installation', 'installation_repositories'],
  ...['marketplace_purchase', 'membership', 'merge_group', 'organization', 'pull_request', 'repository'],
];

/** Calls `visit` for each member at any depth, by the name of its object and its own. */
function walk(value: Json, visit: (path: string, object: Json, name: string) => void, parent = ''): void {
  if (typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value)) {
    const at = Array.isArray(value) ? parent : name;
    if (!Array.isArray(value)) visit(`${parent}.${name}`, value, name);
    walk(value[name], visit, at);
  }
}

/** Fields that GitHub sends as null somewhere, such as `pull_request.merged_by`. */
const nullable = new Set<string>();
for (const { examples } of EXAMPLES)
  for (const example of examples)
    walk(example, (path, object, name) => {
      if (object[name] === null) nullable.add(path);
    });

const installation = { id: STORY.installation, node_id: 'MDIz' };
const VARIANTS: Record<string, (payload: Json) => Json> = {
  'as it is': (payload) => payload,
  'with an installation': (payload) => ({
    ...payload,
    installation: { ...payload.installation, ...installation },
  }),
  'with null wherever GitHub sends it': (payload) => {
    const changed = { ...payload, installation, sender: null };
    walk(changed, (path, object, name) => {
      if (nullable.has(path)) object[name] = null;
    });
    return changed;
  },
  'of an Enterprise Server': (payload) => {
    const enterprise = {
      id: 1,
      slug: 'github',
      name: 'GitHub',
      html_url: 'https://github.com/businesses/github',
    };
    const text = JSON.stringify({ ...payload, enterprise, installation });
    return JSON.parse(
      text
        .replaceAll('https://api.github.com', 'https://ghe.example.org/api/v3')
        .replaceAll('https://github.com', 'https://ghe.example.org'),
    );
  },
};

/** A bot at a GitHub that has the pull request of the payload. */
const botFor = (payload: Json) =>
  startBot((stage) => {
    const { tokens: _tokens, ...github } = fakeGitHub(stage);
    github.installations.all.push({ ...anInstallation({ id: STORY.installation }), repositories: [] });
    if (payload.pull_request?.base.repo) github.pulls.all = [toPullRequest(payload.pull_request)];
    return github;
  });

describe.each(Object.entries(VARIANTS))('each example of a webhook, %s,', (_variant, vary) => {
  it.each(OURS)('is received without an error: %s', async (name) => {
    const { examples = [] } = EXAMPLES.find((event) => event.name === name) ?? {};
    expect(examples.length).toBeGreaterThan(0);
    const wrong: unknown[] = [];
    for (const [at, example] of examples.entries()) {
      const payload = vary(structuredClone(example));
      for (const ours of [payload.check_run, payload.check_suite]) if (ours?.app) ours.app.id = APP.appId;
      const { receive, faults, lines } = await botFor(payload);
      const body = JSON.stringify(payload);
      const signature = `sha256=${createHmac('sha256', APP.webhookSecret).update(body).digest('hex')}`;
      const received = await receive({ id: `example-${at}`, event: name, signature, body });
      const isKnown = isHandled({ event: name, action: example.action });
      const isDone =
        received.outcome === 'accepted' ? await received.work : !isKnown && received.outcome === 'ignored';
      if (!isDone || faults.length > 0) wrong.push([example.action, received.outcome, faults, lines]);
    }
    expect(wrong).toEqual([]);
  });
});
