import { expect, it } from '@jest/globals';
import type { ApproveDeps } from '../../../src/approvals/approve/deps.ts';
import type { Approvals, StoredApprovals } from '../../../src/approvals/ports.ts';
import type { StoredCredentials, StoredTotpApps } from '../../../src/authenticators/ports.ts';
import { createTrustedAuthenticators } from '../../../src/authenticators/trusted-authenticators.ts';
import { codeOf } from '../../support/code-of.ts';
import { aTotpApp } from '../../support/fakes.ts';
import { mona, worldWithKeys } from './world.ts';

it('trusts no authenticator of an organization that isn’t stored: its policy isn’t known', async () => {
  const w = await worldWithKeys();
  w.totpApps.stored.push(aTotpApp({ orgRecordId: w.org.id }));
  const { credentials, totpApps } = createTrustedAuthenticators(w);
  expect([
    (await credentials.list(mona.userId, w.org.id)).length,
    await totpApps.find(mona.userId, w.org.id),
  ]).toMatchObject([1, {}]);
  const byId = async () => null;
  const gone = createTrustedAuthenticators({ ...w, organizations: { ...w.organizations, byId } as never });
  expect(await codeOf(gone.credentials.list(mona.userId, w.org.id))).toBe('installationNotFound');
  expect(await codeOf(gone.totpApps.find(mona.userId, w.org.id))).toBe('installationNotFound');
});

it('has a type of its own, and so have verified approvals: what is only stored compiles in no use case', async () => {
  const w = await worldWithKeys();
  const stored: { credentials: StoredCredentials; totpApps: StoredTotpApps } = w;
  // @ts-expect-error They may need a vouch by now.
  const keys: Pick<ApproveDeps, 'credentials'> = { credentials: stored.credentials };
  // @ts-expect-error They may need a vouch by now.
  const apps: Pick<ApproveDeps, 'totpApps'> = { totpApps: stored.totpApps };
  // @ts-expect-error Nobody verified their assertions.
  const toApprovals = (approvals: StoredApprovals): Approvals => approvals;
  expect([keys.credentials, apps.totpApps, toApprovals.length]).toEqual([w.credentials, w.totpApps, 1]);
});
