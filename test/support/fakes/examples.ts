import type {
  Approval,
  Denial,
  MergeGroup,
  OpenPull,
  PullAuthor,
  PullRequest,
} from '../../../src/approvals/ports.ts';
import type { SentWebhook } from '../../../src/approvals/reconcile/ports.ts';
import type { Credential, RelyingParty, TotpApp } from '../../../src/authenticators/ports.ts';
import type { SecurityImage } from '../../../src/contract/image.ts';
import type { WaitingPull } from '../../../src/inbox/ports.ts';
import type { GitHubRepository, Installation, RepositoryRef } from '../../../src/organizations/ports.ts';
import { NEEDED } from '../../../src/protection/permissions.ts';
import type { SoftwareAuthenticator } from '../authenticator.ts';
import { recordId } from './stage.ts';

export const REPO = { installation: 5, owner: 'octo-org', name: 'hello' } satisfies RepositoryRef;

export const HEAD = 'ab'.repeat(20);

/** A commit of the base branch. */
export const BASE_SHA = 'ba'.repeat(20);

/** All permissions that the product requests. */
export const PERMISSIONS: Record<string, string> = NEEDED;

/** Mona, who opened `aPull()`, with what the test changes. */
export function aPullAuthor(change: Partial<PullAuthor> = {}): PullAuthor {
  return {
    id: 2,
    login: 'mona',
    avatarUrl: 'https://avatars.example/mona',
    isMachine: false,
    ...change,
  };
}

/** A pull request of `REPO` at `HEAD`, with what the test changes. */
export function aPull(change: Partial<PullRequest> = {}): PullRequest {
  return {
    number: 7,
    title: 'A change',
    author: aPullAuthor(),
    open: true,
    head: HEAD,
    headBranch: 'feature',
    base: 'main',
    baseSha: BASE_SHA,
    repo: { id: 42, owner: 'octo-org', name: 'hello', ownerId: 9 },
    merged: false,
    mergedAt: null,
    mergedBy: null,
    mergeCommit: null,
    createdAt: new Date('2026-11-20T09:00:00Z'),
    reviewers: null,
    size: null,
    ...change,
  };
}

/** Mona's approval of `aPull()`, with what the test changes. */
export function anApproval(change: Partial<Approval> = {}): Approval {
  return {
    id: recordId(),
    orgId: 9,
    repoId: 42,
    pr: 7,
    base: 'main',
    head: HEAD,
    githubId: 2,
    login: 'mona',
    method: 'passkey',
    userVerified: true,
    deviceBound: true,
    aaguid: '',
    modelVerified: false,
    fromOutside: false,
    at: new Date('2026-05-04T12:34:56Z'),
    reported: false,
    ...change,
  };
}

/** Octocat's denial of `aPull()`, with what the test changes. */
export const aDenial = (change: Partial<Denial> = {}): Denial => ({
  ...anApproval({ githubId: 3, login: 'octocat' }),
  reason: 'drops a table',
  ...change,
});

/** The installation of the App on `octo-org`, with what the test changes. */
export function anInstallation(change: Partial<Installation> = {}): Installation {
  return {
    id: 5,
    account: { id: 9, login: 'octo-org', type: 'Organization', htmlUrl: 'https://github.com/octo-org' },
    suspended: false,
    repositorySelection: 'all',
    settingsUrl: 'https://github.com/organizations/octo-org/settings/installations/5',
    permissions: { ...PERMISSIONS },
    ...change,
  };
}

/** The saved `aPull()`, which waits for an approval, with what the test changes. */
export function anOpenPull(change: Partial<OpenPull> = {}): OpenPull {
  const { number: pr, title, head, base } = aPull();
  return {
    repoId: 42,
    repoName: 'hello',
    pr,
    title,
    author: 'mona',
    head,
    base,
    approved: false,
    opened: aPull().createdAt,
    reviewers: null,
    lacks: [
      { rule: '', missing: 'Needs 1 approval from any member.', lacking: 1, counted: [], excluded: [] },
    ],
    denied: null,
    agents: null,
    ...change,
  };
}

/** The saved `aPull()` as it waits since an hour, with what the test changes. */
export function aWaitingPull(change: Partial<WaitingPull> = {}): WaitingPull {
  const since = change.since ?? new Date('2026-05-04T11:00:00Z');
  return { ...anOpenPull(), changed: since, ...change, since };
}

/** The repository of `REPO` as GitHub lists it, with what the test changes. */
export function aRepository(change: Partial<GitHubRepository> = {}): GitHubRepository {
  return { id: 42, owner: 'octo-org', name: 'hello', defaultBranch: 'main', ...change };
}

/** The merge queue's group of `aPull()`, with what the test changes. */
export function aGroup(change: Partial<MergeGroup> = {}): MergeGroup {
  return { repoId: 42, head: 'ef'.repeat(20), baseSha: BASE_SHA, base: 'main', pr: 7, ...change };
}

/** A failed attempt to deliver a webhook, with what the test changes. */
export function anAttempt(change: Partial<SentWebhook> = {}): SentWebhook {
  return {
    id: '1',
    guid: 'one',
    at: new Date('2026-05-04T11:59:00Z'),
    event: 'pull_request',
    action: 'opened',
    installation: 5,
    ...change,
  };
}

/** A security image, with what the test changes. */
export function anImage(change: Partial<SecurityImage> = {}): SecurityImage {
  return {
    name: 'AbCdEfGhIjKlMnOpQrSt',
    colors: ['#111111', '#222222', '#333333', '#444444', '#555555'],
    variant: 'beam',
    ...change,
  };
}

/** The authenticator as a credential of `mona` in the organization `org`, with what the test changes. */
export function aCredential(
  authenticator: SoftwareAuthenticator,
  change: Partial<Credential> = {},
): Credential {
  return {
    id: 'credential',
    type: 'passkey',
    label: 'Key',
    keyId: authenticator.id,
    userId: 'mona',
    orgRecordId: 'org',
    created: new Date('2026-05-04T12:00:00Z'),
    publicKey: authenticator.publicKey,
    counter: 0,
    transports: [],
    aaguid: '',
    backupEligible: false,
    backedUp: false,
    modelVerified: false,
    model: '',
    pending: '',
    nonce: '',
    enrolled: '',
    ...change,
  };
}

/** An authenticator app of `mona` in the organization `org`, with what the test changes. */
export const aTotpApp = (change: Partial<TotpApp> = {}): TotpApp => ({
  id: 'app',
  userId: 'mona',
  orgRecordId: 'org',
  label: 'App',
  created: new Date(0),
  secret: new Uint8Array(20).map((_, at) => at + 1),
  enrolled: '',
  ...change,
});

/** The server as browsers know it, which trusts no attestation roots. */
export const RELYING_PARTY: RelyingParty = {
  id: 'guard.example.org',
  name: 'OTP Guard',
  origin: 'https://guard.example.org',
  hasAttestationRoots: false,
};

/** An assertion of the right form that proves nothing. */
export const EMPTY_ASSERTION = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' },
  clientExtensionResults: {},
};
