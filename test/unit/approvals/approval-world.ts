import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { approvalOptions } from '../../../src/approvals/approve/approval-options.ts';
import { approve } from '../../../src/approvals/approve/approve.ts';
import type { HeadRef } from '../../../src/approvals/ports.ts';
import { SoftwareAuthenticator, type Twist } from '../../support/authenticator.ts';
import { aCredential, anInstallation, HEAD } from '../../support/fakes.ts';
import { world as wholeWorld } from './world.ts';

export const ORIGIN = 'https://guard.example.org';
export const mona = { userId: 'mona', githubId: 11, login: 'mona', avatarUrl: '' };
export const target = {
  installation: 5,
  owner: 'octo-org',
  ownerID: 9,
  repo: 'hello',
  repoID: 42,
  pr: 7,
  head: HEAD,
};

/** Mona, a member with a passkey, and the open pull request `aPull()`. */
export async function world() {
  const delayed: unknown[] = [];
  const notStored: unknown[] = [];
  const looked: HeadRef[] = [];
  const unfinished: Promise<unknown>[] = [];
  const deps = {
    ...wholeWorld(),
    mailer: null,
    random: (bytes: number) => new Uint8Array(bytes).map(() => Math.floor(Math.random() * 256)),
    onDelay: (error: unknown) => void delayed.push(error),
    onUnfinished: (work: Promise<unknown>) => void unfinished.push(work),
    onNotStored: (error: unknown) => void notStored.push(error),
    recheckRun: (headRef: HeadRef) => void looked.push(headRef),
  };
  deps.members.set(9, mona.githubId, 'member');
  const org = await deps.organizations.save(anInstallation());
  const key = new SoftwareAuthenticator(ORIGIN);
  deps.credentials.stored.push(aCredential(key, { orgRecordId: org.id }));
  const w = {
    ...deps,
    delayed,
    notStored,
    looked,
    unfinished,
    key,
    /** Another authenticator of mona's, which waits for a vouch. */
    addPending() {
      const pending = new SoftwareAuthenticator(ORIGIN);
      deps.credentials.stored.push(
        aCredential(pending, { id: 'pending', orgRecordId: org.id, pending: 'vouch' }),
      );
      return pending;
    },
    options: () => approvalOptions(deps, { person: mona, target }),
    /** Approves with the key, which verifies Mona unless `twist` says otherwise. */
    give: async (twist?: Twist) => w.approve(key.get((await w.options()).options, twist)),
    approve: (response: unknown) =>
      approve(deps, { person: mona, target, proof: { response: response as AuthenticationResponseJSON } }),
  };
  deps.stage.calls.splice(0);
  return w;
}

export type World = Awaited<ReturnType<typeof world>>;
