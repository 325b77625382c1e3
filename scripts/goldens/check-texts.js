import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { createPasskey } from './passkey.js';
import { storeProofs, verifyProofs } from './proofs.js';
import { normalise, startWorld } from './world.js';

/**
 * The check runs of heads in many situations, with the writes that led to them, one after another in one product.
 * Stores what proves its approvals in `proofsFolder`, or only verifies it if there is none.
 */
export async function checkTexts(proofsFolder) {
  const world = await startWorld();
  try {
    const story = await tell(world);
    const folder = proofsFolder ?? mkdtempSync(join(tmpdir(), 'otp-guard-proofs-'));
    mkdirSync(folder, { recursive: true });
    await storeProofs(world, folder, story);
    const said = verifyProofs(folder);
    if (!proofsFolder) rmSync(folder, { recursive: true });
    const codes = said.match(/exits with \d+/g);
    const text = [...story.parts, `== the proofs of this run: ${codes}\n`].join('\n');
    return normalise(world, text, { [`localhost:${world.port}`]: '{host}' })
      .replace(/(\{host\}\/log\/\d+) \S+$/gm, '$1 {signature}')
      .replace(/^[A-Za-z0-9+/]{43}=$/gm, '{root}')
      .replace(/`[0-9a-f]{8}`/g, '`{short}`');
  } finally {
    await world.stop();
  }
}

async function tell(world) {
  const { facts, asAdmin, must, recorder } = world;
  const { org, orgID, repo, installation } = facts;
  const path = `/repos/${org}/${repo}`;
  const parts = [];
  const targets = new Map();
  const octocat = await world.signIn('octocat');
  const mona = await world.signIn('mona');

  const targetOf = ({ number: pr, head }) => ({
    installation,
    owner: org,
    ownerID: orgID,
    repo,
    pr,
    head: head.sha,
  });
  /** Acts, and tells which writes followed and what the heads' check runs show then. */
  const step = async (name, heads, act) => {
    recorder.take();
    const said = await act();
    await recorder.quiet();
    const writes = recorder
      .take()
      .filter(({ method, url }) => method !== 'GET' && !/access_tokens|graphql|token$/.test(url))
      .map(({ method, url, status, body }) => {
        const { status: state, conclusion } = JSON.parse(body || '{}');
        return `${method} ${url.replace(/\d+$/, '{id}')} ${state ?? ''} ${conclusion ?? ''}: ${status}`;
      });
    const shown = [];
    for (const [at, sha] of heads.map((head) => head.head?.sha ?? head).entries()) {
      const { check_runs: runs } = await asAdmin('GET', `${path}/commits/${sha}/check-runs?filter=all`);
      for (const run of runs.sort((a, b) => a.id - b.id)) {
        const { title, summary, text } = run.output;
        shown.push(
          `-- head ${at + 1}: ${run.name}, ${run.status} ${run.conclusion ?? ''}\n${run.details_url}`,
        );
        shown.push(title, summary, text ?? '(no text)');
      }
    }
    parts.push([`== ${name}`, ...(said ? [`answer: ${said}`] : []), ...writes, ...shown, ''].join('\n'));
  };

  const register = async (session, stepUp) => {
    const passkey = createPasskey(world.origin);
    const params = { label: `Passkey of ${session.login}`, type: 'passkey', org, orgID };
    const { accessToken } = session;
    const { options } = await must(
      '/github-register-authenticator-params',
      { ...params, accessToken },
      session,
    );
    await must(
      '/github-register-passkey',
      { params, pkCreds: passkey.create(options), stepUp, accessToken },
      session,
    );
    return passkey;
  };
  const keys = { octocat: await register(octocat), mona: await register(mona) };
  const proof = async (session, action) => {
    const { options } = await must('/webauthn-challenge', { ...action, org, orgID }, session);
    return { ...action, webauthn: keys[session.login].get(options) };
  };
  const approve = async (session, pull) => {
    const params = targetOf(pull);
    const { accessToken } = session;
    const asked = await world.call(
      '/github-check-webauthn-params',
      { ...params, type: 'webauthn', accessToken },
      session,
    );
    if (asked.status !== 200) return `${asked.status} ${asked.text}`;
    const { options, refusal, needs } = JSON.parse(asked.text);
    const authResponse = keys[session.login].get(options);
    const { status, text } = await world.call(
      '/github-check-webauthn',
      { params, authResponse, accessToken },
      session,
    );
    if (status === 200) targets.set(params.head, params);
    return `${status} ${text} (before: needs ${needs}, refusal ${refusal})`;
  };
  const setPolicy = async (parts) => {
    const policy = { version: 1, ...parts };
    const stepUp = await proof(octocat, { type: 'change-policy', policy });
    await must(
      '/github-set-policy',
      { org, orgID, policy, stepUp, accessToken: octocat.accessToken },
      octocat,
    );
  };
  const patch = (pull, change) => asAdmin('PATCH', `${path}/pulls/${pull.number}`, change);
  const makeUp = (pull, contents) => asAdmin('PUT', `/_local/pulls/${org}/${repo}/${pull.number}`, contents);
  const byMona = { by: mona.accessToken };

  let pull;
  const heads = [];
  await step('waiting', heads, async () => {
    pull = await world.openPull('one');
    heads.push(pull);
  });
  await step('approved with a passkey', [pull], () => approve(mona, pull));
  await step('withdrawn', [pull], async () => {
    const { accessToken } = mona;
    const { status, text } = await world.call(
      '/github-withdraw-approval',
      { ...targetOf(pull), accessToken },
      mona,
    );
    return `${status} ${text}`;
  });
  await step('approved again', [pull], () => approve(mona, pull));
  await step('a new head after an approval', heads, async () => {
    await asAdmin('POST', `${path}/git/refs`, { ref: 'refs/heads/release', sha: pull.base.sha });
    const file = { message: 'More', content: 'bW9yZQ==', branch: 'one' };
    await asAdmin('PUT', `${path}/contents/more.txt`, file);
    await asAdmin('PUT', `${path}/pulls/${pull.number}/update-branch`, {}).catch(() => undefined);
    pull = await asAdmin('GET', `${path}/pulls/${pull.number}`);
    if (pull.head.sha !== heads[0].head.sha) heads.push(pull);
  });
  await step('another base', [pull], () => patch(pull, { base: 'release' }).then(() => undefined));
  await step('closed', [pull], () => patch(pull, { state: 'closed' }).then(() => undefined));
  await step('reopened', [pull], () => patch(pull, { state: 'open' }).then(() => undefined));
  const draft = await world.openPull('draft');
  await step('a draft', [draft], () => patch(draft, { draft: true }).then(() => undefined));
  await step('ready for review', [draft], () => patch(draft, { draft: false }).then(() => undefined));

  const coded = await world.openPull('coded');
  await step('approved with a code', [coded], async () => {
    const secret = new Secret({ size: 16 });
    const codes = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 });
    const { accessToken } = octocat;
    const registration = { totpSecret: secret.base32, totpValue: codes.generate(), org, orgID, accessToken };
    const stepUp = await proof(octocat, { type: 'register-authenticator' });
    await must('/github-register-totp', { ...registration, stepUp }, octocat);
    const otp = codes.generate({ timestamp: Date.now() + 30_000 });
    const body = { ...targetOf(coded), base: 'main', otp, accessToken };
    const { status, text } = await world.call('/github-totp-check', body, octocat);
    targets.set(coded.head.sha, targetOf(coded));
    return `${status} ${text}`;
  });

  const [left, right] = [await world.openPull('left'), await world.openPull('right')];
  await step('a batch of two', [left, right], async () => {
    const { accessToken } = mona;
    const items = [left, right].map(targetOf);
    const { options } = await must('/approve-batch-params', { org, orgID, items, accessToken }, mona);
    const authResponse = keys.mona.get(options);
    const { status, text } = await world.call(
      '/approve-batch',
      { org, orgID, authResponse, accessToken },
      mona,
    );
    for (const one of items) targets.set(one.head, one);
    return `${status} ${text}`;
  });

  const both = await world.openPull('both', { title: 'Into main' });
  let second;
  await step('two pull requests with one head', [both], async () => {
    second = await asAdmin('POST', `${path}/pulls`, { title: 'Into release', head: 'both', base: 'release' });
  });
  await step('one of them approved', [both], () => approve(mona, both));
  await step('both approved', [both], () => approve(mona, second));

  await asAdmin('POST', `${path}/forks`, {});
  await asAdmin('PUT', `/repos/octocat/${repo}/contents/new.txt`, { message: 'A file', content: 'bmV3' });
  await recorder.quiet();
  let fork;
  const forkHeads = [];
  await step('from a fork', forkHeads, async () => {
    fork = await asAdmin('POST', `${path}/pulls`, {
      title: 'From a fork',
      head: 'octocat:main',
      base: 'main',
    });
    forkHeads.push(fork);
  });
  const machine = await world.openPull('machine', { by: 'agent' });
  await step('by a machine', [machine], async () => undefined);

  const unapproved = await world.openPull('unapproved');
  const queued = await world.openPull('queued');
  await approve(mona, queued);
  const queue = `/_local/merge-queue/${org}/${repo}`;
  for (const [name, one] of Object.entries({ 'not approved': unapproved, approved: queued })) {
    const groups = [];
    await step(`a merge group, ${name}`, groups, async () => {
      groups.push((await asAdmin('POST', queue, { pull_number: one.number })).head_sha);
    });
    await step(`a merge group, ${name}, is removed`, groups, () =>
      asAdmin('DELETE', queue, { pull_number: one.number, reason: 'dequeued' }),
    );
  }

  const docs = await world.openPull('docs');
  await makeUp(docs, {
    files: [{ filename: 'docs/a.md' }],
    commits: [{ author: 'octocat', committer: 'octocat', verified: true }],
  });
  const own = await world.openPull('own', byMona);
  const two = await world.openPull('two');
  const released = await world.openPull('released', { base: 'release' });
  const approved = { require: { approvals: 0 } };
  await step(
    'rules: one without an approval, two approvals on main, nobody of their own',
    [docs, own, two, released, machine],
    () =>
      setPolicy({
        rules: [
          { name: 'documentation', when: { paths: ['docs/**'] }, ...approved },
          { name: 'two people', when: { branches: ['main'] }, require: { approvals: 2, from: ['members'] } },
          { name: 'not their own', when: { branches: ['main'] }, require: { notBy: ['author'] } },
          { name: 'on trial', enforced: false, require: { from: ['owners'], methods: ['security-key'] } },
        ],
      }),
  );
  await step('the first of two approvals', [two], () => approve(mona, two));
  await step('the second of two approvals', [two], () => approve(octocat, two));
  await step('an approval of their own', [own], () => approve(mona, own));
  await step('no rule applies', [released], () => approve(mona, released));
  await step('a rule that nobody can meet', [own, released], () =>
    setPolicy({ rules: [{ name: 'a team that is gone', require: { from: ['@octo-org/gone'] } }] }),
  );
  await step('an approval that does not count', [released], () => approve(octocat, released));
  await step('the default policy again', [own, released], () => setPolicy({}));
  await step('a lost authenticator', [coded, two], async () => {
    const { text } = await world.send(`/api/collections/webauthn/records?perPage=20`, mona);
    const [{ id, created }] = JSON.parse(text).items.filter(({ label }) => label === 'Passkey of mona');
    const stepUp = await proof(mona, { type: 'delete-authenticator', authenticatorID: id });
    const headers = { 'x-step-up': JSON.stringify(stepUp), 'x-lost-since': new Date(created).toISOString() };
    const removed = await world.send(`/api/collections/webauthn/records/${id}`, mona, 'DELETE', headers);
    return `${removed.status} ${removed.text}`;
  });
  return {
    parts,
    owner: octocat,
    targets: [...targets.values()].map(({ installation: _id, ...target }) => target),
  };
}
