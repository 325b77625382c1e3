// The organization of the load test: the product, GitHub and people with passkeys.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../scripts/free-port.js';
import { approvalOptions, approve, enrol, openPull, startGitHub, startProduct } from '../parts.js';
import { get, post, refresh } from '../world.js';

/** Those who approve and look. All the others are in the lists. */
const ACTIVE = 50;
const OWNER = 'octocat';
/** The local GitHub is one process, and takes long to list hundreds for each person’s inbox. */
const REPOSITORIES = 50;
/** So much longer than on any machine that works that it only ends what would never come. */
const ENDS_MS = 15 * 60_000;

export async function startOrganization({ people }) {
  const port = await freePort();
  const plenty = { requestsPerHour: 100_000, contentPerMinute: 1e9, contentPerHour: 1e9 };
  const github = await startGitHub({
    publicUrl: `http://localhost:${port}`,
    crowd: { members: people, repositories: REPOSITORIES },
    rateLimits: plenty,
  });
  // GitHub's limits and those of people's calls would answer first, at a tenth of this load.
  const product = await startProduct(github, { port, env: { UNLIMITED: '1' } });
  const { origin } = product;
  const { facts } = github;
  const active = [];
  const logins = Array.from({ length: ACTIVE }, (_, index) => `member-${String(index + 1).padStart(4, '0')}`);
  for (const login of [OWNER, ...logins]) {
    const person = await enrol(product, login);
    const { record } = await refresh(origin, person);
    const { org } = record.expand.org_members_via_user.find(
      ({ expand }) => expand.org.org_id === facts.orgID,
    );
    active.push({ ...person, org });
  }
  const [owner] = active;
  await until(`the list of ${people} members`, async () => {
    const { members } = await post(origin, owner, '/organization', { orgID: facts.orgID });
    return members?.total >= people;
  });
  let turn = 0;
  const nextPerson = () => active[turn++ % active.length];

  return {
    /** Opens a pull request, and waits until its check does. */
    openPull: () => openPull(github),
    checkWaits: (pull) => until(`the check of #${pull.number}`, async () => (await runsOf(pull)).length > 0),
    /** Opens its page as a browser does, approves it, and waits until the check is green. */
    async approve(pull) {
      const person = nextPerson();
      await page(person);
      const options = await approvalOptions(product, person, pull);
      await approve(product, person, pull, options);
      await until(`the green check of #${pull.number}`, async () =>
        (await runsOf(pull)).some(({ conclusion }) => conclusion === 'success'),
      );
    },
    merge: ({ number }) => github.asAdmin('PUT', `/pulls/${number}/merge`),
    async visit({ requests, ofOwner }) {
      const person = ofOwner ? owner : nextPerson();
      await page(person);
      const calls = {
        person,
        orgID: facts.orgID,
        get: (path) => get(origin, person, path),
        post: (path, body) => post(origin, person, path, body),
      };
      await Promise.all(requests(calls));
    },
    /** In megabytes; the heap after a garbage collection. */
    async memory() {
      product.child.send('memory');
      const [{ memory }] = await once(product.child, 'message');
      return { heapMB: memory.heapUsed / 2 ** 20, rssMB: memory.rss / 2 ** 20 };
    },
    async stop() {
      await product.stop();
      await github.stop();
    },
  };

  /** The document, and the session that every page renews. */
  async function page(person) {
    const document = await fetch(`${origin}/org`, { headers: { accept: 'text/html' } });
    if (!document.ok) throw new Error(`/org: ${document.status}`);
    await document.arrayBuffer();
    await refresh(origin, person);
  }

  /** With a person's token, because GitHub limits the requests of each. */
  async function runsOf({ head }) {
    const { accessToken } = nextPerson();
    const { org, repo } = facts;
    const answer = await fetch(`${github.origin}/repos/${org}/${repo}/commits/${head.sha}/check-runs`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    if (!answer.ok) throw new Error(`check runs: ${answer.status}`);
    return (await answer.json()).check_runs;
  }
}

/** Waits, without judging how long: the load test compares that. `what` is what the error says didn't come. */
async function until(what, holds) {
  const end = performance.now() + ENDS_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what} didn't come in ${ENDS_MS / 60_000} minutes`);
    await delay(50);
  }
}
