import { describe, expect, it } from '@jest/globals';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { COLLECTIONS } from '../../src/adapters/pocketbase/collections.ts';
import { deploymentId } from '../../src/adapters/pocketbase/deployments/stores.ts';
import { statementChallenge } from '../../src/approvals/approve/make-statement.ts';
import {
  createOnlyVerified,
  createVerifiedApprovals,
} from '../../src/approvals/judge/verify-stored-approval.ts';
import type { DeploymentKey, NewGiven } from '../../src/approvals/ports.ts';
import type { DeployStatement } from '../../src/contract/statement.ts';
import { sha256Base64url } from '../../src/shared/crypto.ts';
import { SoftwareAuthenticator } from '../support/authenticator.ts';
import { HEAD } from '../support/fakes.ts';
import { one, org, person, records, two } from '../support/own-store.ts';
import { recordSeals } from '../support/stores.ts';

const ORIGIN = 'https://guard.example.org';
const DAY_MS = 24 * 60 * 60_000;

type Row = Record<string, unknown> & { id: string };

/** A run of the organization's only repository that waits at `release`, and mona's key. */
async function waitingRun() {
  const key = new SoftwareAuthenticator(ORIGIN);
  const mona = await person('mona');
  const about = { type: 'passkey', key_id: key.id, user: mona.userId, org: org.id };
  const { id: authenticator } = await records.collection('webauthn').create(about);
  const repo = { id: org.orgId * 10, installation: 1, owner: org.name, name: 'hello' };
  const at: DeploymentKey = { repoId: repo.id, run: 77, attempt: 1, environment: 'release' };
  const run = { head: HEAD, ref: 'main', event: 'push', workflow: 'release.yml' };
  await one.deployments.request({ ...at, ...run, orgId: org.orgId, repo });
  const statementOf = (change: object): DeployStatement => ({
    ...{ v: 1, purpose: 'deploy', host: ORIGIN, user: { id: mona.githubId, login: 'mona' } },
    ...{ org: { id: org.orgId, login: org.name }, repo: { id: repo.id, name: `${org.name}/hello` } },
    ...{ environment: 'release', run: 77, attempt: 1, ...run },
    ...{ nonce: sha256Base64url(String(Math.random())), iat: Math.floor(Date.now() / 1000), ...change },
  });
  const decide = (change: object = {}, { approvals } = one) => {
    const statement = statementOf(change);
    const assertion = key.get({ challenge: statementChallenge(statement) }) as AuthenticationResponseJSON;
    const activity = { activity: 'webauthnDeploy', userId: '', orgRecordId: org.id, data: {} } as const;
    const given: NewGiven = {
      ...{ repo, statement, authenticator, method: 'passkey', userVerified: true },
      ...{ aaguid: '', modelVerified: false, fromOutside: false },
      org: { id: org.orgId, recordId: org.id, login: org.name },
      user: { id: mona.githubId, recordId: mona.userId, login: 'mona' },
      proof: { assertion, publicKey: key.publicKey },
    };
    return approvals.add(given, { activity, notices: [] });
  };
  return { at, decide };
}

describe('a decision about a deployment', () => {
  it('is stored once on a day, from two processes, and makes its deployment due', async () => {
    const { at, decide } = await waitingRun();
    const found = await one.deployments.find(at);
    await one.deployments.save(found ?? ({} as never), { synced: new Date() });
    expect(await one.deployments.due()).toEqual([]);
    const stored = await Promise.all([decide(), decide({}, two)]);
    expect(stored.filter((added) => added)).toHaveLength(1);
    expect([await one.approvals.ofDeployment(at), await one.deployments.due()]).toMatchObject([
      [{ run: 77 }],
      [at],
    ]);
    // The approval of yesterday has expired, and its person gives it again with the same key.
    const again = await decide({ iat: Math.floor((Date.now() + DAY_MS) / 1000) });
    expect([again === null, (await two.approvals.ofDeployment(at)).length]).toEqual([false, 2]);
  });
});

describe('a deployment', () => {
  it('is one, however its environment is spelled, under the spelling of the first request', async () => {
    const { at } = await waitingRun();
    const first = await one.deployments.find(at);
    const spelled = { ...at, environment: 'RELEASE' };
    await two.deployments.request({ ...(first ?? ({} as never)), ...spelled });
    expect(await two.deployments.find(spelled)).toEqual({ ...first, due: expect.any(Date) });
    const listed = await one.deployments.waiting(org.orgId);
    expect(listed.filter(({ repoId, run }) => repoId === at.repoId && run === at.run)).toHaveLength(1);
  });
});

/** Somebody with the record store's superuser, but without SECRET_KEY. */
describe('access to the database alone', () => {
  it('makes no decision count that nobody made, moves none to another deployment, and brings none back', async () => {
    const { at, decide } = await waitingRun();
    await decide();
    const approvals = records.collection('approvals');
    const [genuine] = await approvals.getFullList<Row>({ filter: `repo_id = ${at.repoId}` });
    if (!genuine) throw new Error('not stored');
    const { id, statement } = genuine;
    const reported: string[] = [];
    const onlyVerified = createOnlyVerified(({ reason }) => void reported.push(reason));
    const verified = createVerifiedApprovals(one.approvals, onlyVerified);
    const idsOf = async (key = at) => (await verified.ofDeployment(key)).map((one) => one.id);
    expect(await idsOf()).toEqual([id]);

    const another = { ...at, run: 78 };
    const moved = { deployment: '78 1 release' };
    const rewritten = { ...moved, statement: { ...(statement as object), run: 78 } };
    const asApproval = { ...moved, kind: '', statement: { ...(statement as object), purpose: 'approve' } };
    for (const change of [moved, rewritten, asApproval]) {
      await approvals.update(id, change);
      expect([change, await idsOf(another), await idsOf()]).toEqual([change, [], []]);
      expect((await one.approvals.ofHead(at.repoId, HEAD)).valid).toEqual([]);
    }
    await approvals.update(id, { deployment: genuine.deployment, statement, kind: genuine.kind });
    expect(await idsOf()).toEqual([id]);

    const change = { statement: { ...(statement as object), run: 78 }, deployment: '78 1 release' };
    const copied = { ...genuine, ...change, id: `c${id.slice(1)}`, day: 'another' };
    await approvals.create(copied);
    expect([await idsOf(another), reported]).toEqual([[], []]);
    // Even with SECRET_KEY, the person's key hasn't signed it.
    await approvals.update(copied.id, { mac: recordSeals().macOf('approvals', copied) });
    expect([await idsOf(another), reported]).toEqual([[], ['assertion']]);

    const lost = { id: String(genuine.authenticator), holder: { githubId: Number(genuine.user_id) } };
    const since = { org: { id: org.orgId }, since: new Date(0) };
    const made = await one.approvals.madeWith({ ...lost, ...since });
    const [decision] = made.filter((given) => given.run === 77);
    const activity = { activity: 'approvalWithdraw', userId: '', orgRecordId: org.id, data: {} } as const;
    expect(decision && (await one.approvals.withdraw(decision, { activity, notices: [] }))).toBe(true);
    expect(await idsOf()).toEqual([]);
    await approvals.update(id, { withdrawn: '' });
    expect(await idsOf()).toEqual([]);
  });

  it('changes no deployment, and copies none to another run', async () => {
    const { at } = await waitingRun();
    const deployments = records.collection('deployments');
    const [row] = await deployments.getFullList<Row>({ filter: `repo_id = ${at.repoId}` });
    if (!row) throw new Error('not stored');
    const isThis = ({ id }: { id: string }) => id === row.id || id === deploymentId(another);
    const another = { ...at, run: 78 };
    const listed = async () =>
      [...(await one.deployments.due()), ...(await one.deployments.waiting(org.orgId))].filter(isThis);
    expect([await one.deployments.find(at), await listed()]).toMatchObject([at, [at, at]]);
    for (const name of COLLECTIONS.deployments.mac) {
      const value = typeof row[name] === 'number' ? row[name] + 1 : `${row[name]}x`;
      await deployments.update(row.id, { [name]: value });
      const found = [await one.deployments.find(at), await one.deployments.find({ ...at, [name]: value })];
      expect([name, found, await listed()]).toEqual([name, [null, null], []]);
      await deployments.update(row.id, { [name]: row[name] });
    }
    await deployments.create({ ...row, id: deploymentId(another), run: 78 });
    expect([await one.deployments.find(another), (await listed()).length]).toEqual([null, 2]);
  });
});
