import { describe, expect, it } from '@jest/globals';
import { endDenials, endDenialsOfFormerMembers } from '../../../src/approvals/deny/end-denials.ts';
import { setAsideDenial } from '../../../src/approvals/deny/set-aside-denial.ts';
import { stepUpOptions } from '../../../src/authenticators/step-up/step-up.ts';
import { SoftwareAuthenticator } from '../../support/authenticator.ts';
import { codeOf } from '../../support/code-of.ts';
import { aCredential, anApproval, HEAD } from '../../support/fakes.ts';
import { world as approvalWorld, ORIGIN } from './approval-world.ts';
import { OTHER } from './world.ts';

const OCTOCAT = { userId: 'octocat', githubId: 12, login: 'octocat', avatarUrl: '' };
const DENIER = { githubId: 13, login: 'hubot' };
const REASON = 'It drops a table.';

/** A head that Mona approved and hubot, a member, denied; and octocat, an owner with a passkey. */
async function world() {
  const w = await approvalWorld();
  const [org] = w.organizations.stored;
  if (!org) throw new Error('no organization');
  w.members.set(9, OCTOCAT.githubId, 'admin');
  w.members.set(9, DENIER.githubId, 'member');
  w.memberships.put(org, { ...DENIER, role: 'member' }, { userId: 'hubot' });
  w.users.profiles.set('hubot', { id: DENIER.githubId, login: 'hubot', avatarUrl: '' } as never);
  const key = new SoftwareAuthenticator(ORIGIN);
  w.credentials.stored.push(aCredential(key, { id: 'k', userId: 'octocat', orgRecordId: org.id }));
  w.approvals.put(anApproval({ githubId: 14 }));
  const { id } = w.approvals.put({ ...anApproval(), ...DENIER, reason: REASON });
  const prove = async (denialID: string) => {
    const action = { type: 'set-aside-denial', denialID } as const;
    const { options } = await stepUpOptions(w, { session: OCTOCAT, org, action });
    return { type: action.type, denialID, webauthn: key.get(options) as never };
  };
  const setAside = (denialID: string, stepUp: object | undefined, person = OCTOCAT) =>
    setAsideDenial(w, { person, orgID: 9, denialID, reason: 'It was fixed.', stepUp: stepUp as never });
  return {
    ...w,
    org,
    id,
    prove,
    setAside,
    conclusion: () => w.checkRuns.shown(HEAD)?.content.conclusion,
    inForce: async () => (await w.approvals.denialsOf({ orgId: 9, githubId: DENIER.githubId })).length,
  };
}

describe('a denial that an owner sets aside', () => {
  it('no longer keeps the head from passing, is logged with both reasons, and its person gets an e-mail', async () => {
    const w = await world();
    expect(await w.setAside(w.id, await w.prove(w.id))).toEqual({ reported: true });
    expect([w.conclusion(), await w.inForce()]).toEqual(['success', 0]);
    expect(w.approvals.withdrawals).toEqual([
      {
        activity: {
          activity: 'denialSetAside',
          userId: 'octocat',
          orgRecordId: w.org.id,
          data: {
            ...{ type: 'passkey', sha: HEAD, pr: 7, repo: 'hello', org: 'octo-org', denies: true },
            ...{ login: 'octocat', user: 'hubot', reason: REASON, setAsideReason: 'It was fixed.' },
          },
          facts: { repoId: 42 },
          personFacts: { by: { id: 12, login: 'octocat' }, holder: { id: 13, login: 'hubot' } },
        },
        notices: [
          {
            kind: 'denialSetAside',
            userId: 'hubot',
            data: {
              ...{ org: 'octo-org', by: 'octocat', setAsideReason: 'It was fixed.' },
              label: `commit ${HEAD.slice(0, 8)} of hello#7`,
            },
          },
        ],
      },
    ]);
  });

  it('needs an owner, a proof for this denial, and a denial that is in force', async () => {
    const w = await world();
    const { id: other } = w.approvals.put({ ...anApproval({ head: OTHER }), ...DENIER, reason: REASON });
    const proof = await w.prove(w.id);
    const mona = { userId: 'mona', githubId: 11, login: 'mona', avatarUrl: '' };
    expect(await codeOf(w.setAside(w.id, proof, mona))).toBe('notOwner');
    expect(await codeOf(w.setAside(w.id, undefined))).toBe('stepUpRequired');
    expect(await codeOf(w.setAside(other, proof))).toBe('otherStepUp');
    // The proof says another denial than the one that the owner signed for.
    expect(await codeOf(w.setAside(other, { ...proof, denialID: other }))).toBe('otherStepUp');
    const [approval] = w.approvals.stored;
    expect(await codeOf(w.setAside(approval?.id ?? '', proof))).toBe('denialNotFound');
    expect([w.challenges.consumed.size, w.approvals.withdrawals]).toEqual([0, []]);
    await w.setAside(w.id, proof);
    expect(await codeOf(w.setAside(w.id, proof))).toBe('denialNotFound');
  });
});

describe('a denial of a person who left the organization', () => {
  it('ends, is logged without anyone who did it, and GitHub shows that', async () => {
    const w = await world();
    await endDenials(w, w.org, { ...DENIER, login: 'hubot-now' });
    expect([w.conclusion(), await w.inForce()]).toEqual(['success', 0]);
    expect(w.approvals.withdrawals).toMatchObject([
      {
        activity: {
          activity: 'denialEnd',
          userId: 'hubot',
          data: { login: 'hubot-now', user: 'hubot', sha: HEAD, reason: REASON },
          personFacts: { holder: { id: 13, login: 'hubot' } },
        },
        notices: [],
      },
    ]);
  });

  it('stays if they gave it as an outside collaborator', async () => {
    const w = await world();
    const outside = { ...anApproval({ head: OTHER }), ...DENIER, fromOutside: true, reason: REASON };
    w.approvals.put(outside);
    await endDenials(w, w.org, DENIER);
    expect(await w.inForce()).toBe(1);
  });

  it.each<[what: string, left: number, change: (w: Awaited<ReturnType<typeof world>>) => unknown]>([
    ['a member', 1, () => null],
    ['a member whom only GitHub knows', 1, (w) => w.memberships.save(w.org, DENIER, null)],
    [
      'no longer there',
      0,
      (w) => {
        w.members.roles.delete('9:13');
        return w.memberships.save(w.org, DENIER, null);
      },
    ],
    [
      'unknown because the App is suspended',
      1,
      (w) => {
        w.installations.suspend();
        w.members.roles.clear();
        return w.memberships.save(w.org, DENIER, null);
      },
    ],
  ])('ends with the sync of members if the person is %s: %s left', async (_what, left, change) => {
    const w = await world();
    await change(w);
    w.stage.calls.splice(0);
    await endDenialsOfFormerMembers(w);
    expect(await w.inForce()).toBe(left);
  });

  it('costs no request to GitHub while all who denied are members', async () => {
    const w = await world();
    w.stage.calls.splice(0);
    await endDenialsOfFormerMembers(w);
    expect(w.stage.calls.filter((call) => /^(members|installations)\./.test(call))).toEqual([]);
  });
});
