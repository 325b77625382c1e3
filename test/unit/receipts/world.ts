import { credentialSubject, recordSubject } from '../../../src/audit/subjects.ts';
import type { EnrolmentLink, Envelope, ReceiptStatement } from '../../../src/contract/receipts.ts';
import type { Statement, VouchStatement } from '../../../src/contract/statement.ts';
import type { Organization } from '../../../src/organizations/ports.ts';
import type { IssuedLog } from '../../../src/receipts/issue-receipts.ts';
import type { ProvedApproval, StoredVouch } from '../../../src/receipts/ports.ts';
import { sha256Base64url, sha256OfJson } from '../../../src/shared/crypto.ts';
import { SoftwareAuthenticator } from '../../support/authenticator.ts';
import { anApproval, FakeClock, HEAD } from '../../support/fakes.ts';
import { HOST, ORG, TestLog, treeHash } from '../../support/test-log.ts';

/** A person with one key. */
export type Holder = { id: number; login: string; key: SoftwareAuthenticator };
export const aHolder = (id: number, login: string): Holder => ({
  id,
  login,
  key: new SoftwareAuthenticator(HOST),
});
export const hashOf = ({ key }: Holder) => sha256Base64url(Buffer.from(key.publicKey, 'base64url'));
const accountOf = ({ id, login }: Holder) => ({ id, login });
const factsOf = (one: Holder) => ({
  holder: accountOf(one),
  credential: { idSha256: sha256Base64url(one.key.id), publicKeySha256: hashOf(one) },
});
const prove = <T extends object>({ key }: Holder, statement: T) => ({
  ...{ statement, assertion: key.get({ challenge: sha256OfJson(statement) }), publicKey: key.publicKey },
});

/** The log as the record store would read it. `subjects` are those of its entries, in their order. */
function readerOf(log: TestLog, subjects: string[]) {
  const stored = () =>
    log.entries.map((entry, at) => ({
      ...{ ...entry, id: `entry${at}`, subject: subjects[at] ?? '', at: new Date(entry.event?.at ?? '') },
    }));
  const checkpoint = (size: number) => ({
    ...{ origin: log.origin, size, note: log.checkpoint(size), at: new Date() },
    root: Buffer.from(treeHash(log.leaves.slice(0, size))).toString('base64'),
  });
  const reader: IssuedLog = {
    newest: async () => (subjects.length > 0 ? checkpoint(subjects.length) : null),
    atSize: async (_org, size) => (size <= subjects.length ? checkpoint(size) : null),
    ofSubject: async (_org, subject) => stored().filter((one) => one.subject === subject),
    paths: async (_org, numbers, size) => numbers.map((number) => log.included(number, size).path),
  };
  return { reader, stored };
}

/** An organization with a log, and what people did there, one thing a second, as the log's clock has it. */
export function aWorld() {
  const log = new TestLog();
  const subjects: string[] = [];
  const { reader, stored } = readerOf(log, subjects);
  const vouches = new Map<string, StoredVouch[]>();
  const approvals: ProvedApproval[] = [];
  const iat = () => Date.UTC(2026, 10, 1) / 1000 + log.entries.length + 1;
  const add = (subject: string, ...entry: Parameters<TestLog['add']>) => {
    subjects.push(subject);
    log.add(...entry);
  };

  return {
    log,
    add,
    approvals,
    deps: {
      auditLog: reader,
      clock: new FakeClock(),
      origins: { publicUrl: HOST, githubUrl: 'https://github.com' },
      signingKeys: { current: async () => ({ ...log.key, publicKey: log.keyList.keys[0]?.publicKey ?? '' }) },
      enrolments: {
        vouches: async (_org: string, hash: string) => vouches.get(hash) ?? [],
        registrations: async (_org: string, id: number) =>
          stored().filter(
            ({ event, person }) => event?.activity.endsWith('Register') && person?.facts.holder?.id === id,
          ),
        enrolled: async () => '' as const,
      },
    },
    org: { id: 'org', orgId: ORG.id, name: ORG.login, installationId: 5 } as Organization,

    register(
      one: Holder,
      how: { enrolled?: EnrolmentLink['enrolled']; confirmedBy?: string; type?: string } = {},
    ) {
      const { enrolled, type, ...facts } = how;
      const activity = Object.keys(how).length > 0 ? 'webauthnRegister' : 'webauthnPending';
      const person = { ...factsOf(one), by: accountOf(one), ...facts };
      add(
        credentialSubject(one.key.id),
        activity,
        { ...(enrolled && { enrolled }), ...(type && { type }) },
        { person },
      );
    },

    /** @param at When it was signed, if that isn't now. */
    vouch(voucher: Holder, one: Holder, at = new Date(iat() * 1000)) {
      const credential = { id: one.key.id, publicKeySha256: hashOf(one), holder: accountOf(one) };
      const proof = prove<VouchStatement>(voucher, {
        ...{ v: 1, purpose: 'vouch', host: HOST, org: ORG, user: accountOf(voucher), credential },
        ...{ nonce: 'AAAA', iat: iat() },
      });
      const vouch = {
        id: `vouch${subjects.length}`,
        enrolled: 'vouched',
        proof,
      } as const;
      vouches.set(hashOf(one), [...(vouches.get(hashOf(one)) ?? []), { ...vouch, at }]);
      const person = { ...factsOf(one), by: accountOf(voucher), proofSha256: sha256OfJson(proof) };
      add(credentialSubject(one.key.id), 'vouch', {}, { person });
    },

    /**
     * @param how With a one-time code of this app, for another pull request, a denial with this reason, or a decision about
     *   this run, which the reason rejects.
     */
    approve(
      one: Holder,
      how: {
        app?: string;
        pull?: Partial<Pick<Statement, 'repo' | 'pr'>>;
        reason?: string;
        run?: number;
      } = {},
      change: Partial<ProvedApproval> = {},
    ) {
      const { app, pull, reason, run } = how;
      const [given, refused] = run === undefined ? ['approve', 'deny'] : ['deploy', 'reject'];
      const purpose = reason === undefined ? given : refused;
      const activity = { approve: 'Collect', deny: 'Deny', deploy: 'Deploy', reject: 'Reject' }[purpose];
      const ofRun = { run, environment: 'release', attempt: 1 };
      const about = run === undefined ? { pr: 7, base: 'main' } : { ...ofRun, ref: 'main' };
      const { statement, ...signed } = prove(one, {
        ...{ v: 1, host: HOST, org: ORG, user: accountOf(one), purpose, ...about },
        ...(run !== undefined && { event: 'push', workflow: '.github/workflows/release.yml' }),
        ...(reason !== undefined && { reasonSha256: sha256Base64url(reason) }),
        ...{ repo: { id: 42, name: 'octo-org/hello' }, head: HEAD },
        ...{ nonce: 'AAAA', iat: iat(), ...pull },
      });
      const seen = { userVerified: !app, aaguid: '', modelVerified: false };
      const approval = {
        ...anApproval({ githubId: one.id, login: one.login, method: app ? 'totp' : 'passkey', ...seen }),
        ...{ statement, proof: app ? null : signed, authenticator: app ?? 'credential' },
        ...{ stored: new Date(iat() * 1000), withdrawn: null, reason },
        ...(run !== undefined && { ...ofRun, pr: 0, reason: reason ?? '' }),
        ...change,
      } as ProvedApproval;
      approvals.push(approval);
      const { credential, holder } = factsOf(one);
      const passed = { passed: true, policyNumber: 0, policySha256: 'AAAA', rules: [] };
      const verdict = reason === undefined && { verdict: passed };
      const proofSha256 = sha256OfJson({
        statement,
        ...(app ? { assertion: null, publicKey: null } : signed),
      });
      add(
        recordSubject('approvals', approval.id),
        `${app ? 'totp' : 'webauthn'}${activity}`,
        {
          ...{ sha: HEAD, repo: 'hello', base: 'main' },
          ...(run === undefined ? { pr: 7 } : { run, environment: 'release' }),
        },
        {
          event: { repoId: 42, ...seen },
          person: { by: holder, holder, ...(!app && { credential }), proofSha256, ...verdict },
        },
      );
    },
  };
}

export const statementIn = ({ payload }: Envelope): ReceiptStatement =>
  JSON.parse(Buffer.from(payload, 'base64').toString());
