import type { Challenges, DeviceLinks } from '../../../authenticators/ports.ts';
import type { StoreDeps } from '../audit/activity-log.ts';
import type { StoreClient } from '../client.ts';
import { consumeKey } from '../records/one-time-keys.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { newRecordId, recordsOf } from '../records/records-of.ts';
import { createLostAuthenticators } from './add-and-remove.ts';
import { createCredentials } from './credentials.ts';
import { createEnrolmentAddresses } from './enrolment-addresses.ts';
import { createEnrolments } from './enrolments.ts';
import { createHeldAuthenticators } from './held-authenticators.ts';
import { createCodeFailures, createTotpApps } from './totp-apps.ts';
import { createVouches } from './vouches.ts';

export const createAuthenticatorStores = ({ client, log, sealer, seals }: StoreDeps) => ({
  challenges: createChallenges(client, seals),
  codeFailures: createCodeFailures(client),
  credentials: createCredentials(client, log, seals),
  deviceLinks: createDeviceLinks(client, seals),
  enrolmentAddresses: createEnrolmentAddresses(client),
  enrolments: createEnrolments(client, seals),
  heldAuthenticators: createHeldAuthenticators(client),
  lostAuthenticators: createLostAuthenticators(client),
  totpApps: createTotpApps(client, log, { sealer, seals }),
  vouches: createVouches(client, log, seals),
});

function createChallenges(client: StoreClient, seals: RecordSeals): Challenges {
  const challenges = recordsOf(client, 'challenges');
  return {
    async add({ challenge, purpose, userId: user, orgId: org_id, subject, expires }) {
      const fields = { id: newRecordId(), challenge, purpose, user, org_id, subject };
      await challenges.create(seals.signed('challenges', { ...fields, expires: expires.toISOString() }));
    },
    async find(wanted) {
      const found = await challenges.first({ challenge: wanted });
      if (!found || !seals.isOurs('challenges', found)) return null;
      const { challenge, purpose, user: userId, org_id: orgId, subject, expires } = found;
      return { challenge, purpose, userId, orgId, subject, expires: new Date(expires) };
    },
    consume: ({ challenge, expires }) => consumeKey(client, `challenge:${challenge}`, expires),
  };
}

function createDeviceLinks(client: StoreClient, seals: RecordSeals): DeviceLinks {
  const links = recordsOf(client, 'device_links');
  return {
    async add({ hash, userId, orgId, expires }) {
      const user = await recordsOf(client, 'gh_users').get(userId, { fields: 'github_id' });
      const fields = { id: newRecordId(), hash, user: userId, org_id: orgId, expires: expires.toISOString() };
      await links.create(seals.signed('device_links', fields, { user }));
    },
    async find(hash) {
      const record = await links.first({ hash }, { expand: 'user' });
      if (!record || !seals.isOurs('device_links', record)) return null;
      const { id, user, org_id, expires } = record;
      return { id, userId: user, orgId: org_id, expires: new Date(expires) };
    },
    consume: ({ id, expires }) => consumeKey(client, `device-link:${id}`, expires),
  };
}
