// A process that changes an organization and logs it, as the product's processes do. For each message from its parent
// it makes that many changes at once, of three kinds in turn, and says when they're done.

import { createApprovals } from '../../dist/adapters/pocketbase/approvals/approvals.js';
import { createActivityLog } from '../../dist/adapters/pocketbase/audit/activity-log.js';
import { createSigningKeys } from '../../dist/adapters/pocketbase/audit/signing-keys.js';
import { createCredentials } from '../../dist/adapters/pocketbase/authenticators/credentials.js';
import { createStoreClient } from '../../dist/adapters/pocketbase/client.js';
import { createPolicies } from '../../dist/adapters/pocketbase/policies/policies.js';
import { createRecordSeals } from '../../dist/adapters/pocketbase/records/record-seals.js';
import { createSealer } from '../../dist/authenticators/seal.js';
import { DEFAULT_POLICY } from '../../dist/contract/policy.js';
import { createRecordMac } from '../../dist/shared/crypto.js';

const { address, secretKey, publicUrl, org, userId, authenticator } = JSON.parse(process.argv[2]);
const keys = () => [secretKey];
const client = createStoreClient(address);
const seals = createRecordSeals(createRecordMac(keys), () => undefined);
const log = createActivityLog(client, createSigningKeys(client, createSealer(keys), seals), { publicUrl });
const policies = createPolicies(client, log, seals);
const credentials = createCredentials(client, log, seals);
const approvals = createApprovals(client, log, seals);

const entry = (activity, more) => ({
  activity,
  userId,
  orgRecordId: org.id,
  data: { login: 'mona' },
  ...more,
});
const unique = () => Math.random().toString(16).slice(2).padEnd(40, '0').slice(0, 40);

const CHANGES = [
  () => {
    const repo = { id: 1, installation: 1, owner: org.name, name: 'hello' };
    const of = { org: { id: org.orgId, recordId: org.id, login: org.name }, user: { id: 11, login: 'mona' } };
    const made = { method: 'passkey', authenticator, userVerified: true, aaguid: '', fromOutside: false };
    const opened = new Date();
    const approval = { repo, pr: 1, base: 'main', head: unique(), ...of, ...made, proof: null };
    return approvals.add(
      { ...approval, modelVerified: false, opened, statement: {} },
      entry('webauthnCollect'),
    );
  },
  () => {
    const keyId = unique();
    const key = { type: 'passkey', label: 'Key', keyId, userId, orgRecordId: org.id, publicKey: 'AAAA' };
    const more = { counter: 0, transports: [], aaguid: '', model: '', backedUp: false, attested: false };
    const holder = { userId, login: 'mona', org: { recordId: org.id, id: org.orgId, name: org.name } };
    const activity = entry('webauthnRegister', { subject: `credential:${keyId}` });
    const effects = { activity, notices: [{ kind: 'authenticatorAdded', userId, data: {} }] };
    const admission = { order: 'further', enrolled: 'further' };
    return credentials.add({ ...key, ...more, backupEligible: false }, holder, admission, effects);
  },
  async () => {
    // Of two that replace the same policy, one is refused.
    for (let isSaved = false; !isSaved; ) {
      const { number } = await policies.inForce(org.orgId);
      const change = {
        policy: DEFAULT_POLICY,
        replaces: number,
        signed: null,
        by: { userId, login: 'mona' },
      };
      const activity = entry('policyChange', { data: { number: number + 1 } });
      isSaved = await policies.save(org, change, { activity, notices: [] });
    }
  },
];

process.on('disconnect', () => process.exit(0));
process.on('message', async (count) => {
  await Promise.all(Array.from({ length: count }, (_, at) => CHANGES[at % CHANGES.length]()));
  process.send('done');
});
process.send('ready');
