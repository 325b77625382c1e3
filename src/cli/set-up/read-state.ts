import type { SetUpLeftOpen, SetUpState } from './progress.ts';

const MEMBERS_A_PAGE = 500;

type Org = { id: string; orgId: number };
type Page = { search: string; after: string; most: number };

/** The domain's ports, as far as the set-up needs them. */
export type StateDeps = {
  installations: { list(): Promise<{ id: number; suspended: boolean; account: { login: string } }[]> };
  organizations: { byInstallation(id: number): Promise<Org | null> };
  lastWebhook(): Promise<Date | null>;
  memberships: {
    list(
      org: string,
      page: Page & { state: 'all' },
    ): Promise<{ members: { login: string; role: string; enrolled: boolean }[] }>;
  };
  policies: { inForce(orgId: number): Promise<{ policy: { enrolment: { mode: string } }; number: number }> };
  leftOpen(org: Org): Promise<SetUpLeftOpen[]>;
  repositoryChecks: { counts(org: string): Promise<{ protected: number }> };
  waitingPulls: {
    since(org: string, from: Date, page: { number: number; size: number }): Promise<unknown[]>;
  };
  statistics: { days(orgId: number): Promise<unknown[]> };
  /** Asks GitHub again, in the background, what the organization's repositories require. */
  checkAgain(org: string): Promise<void>;
};

const NOTHING = {
  hasOwner: false,
  enrolment: { mode: 'open', isChosen: false },
  leftOpen: [],
  isRequired: false,
  hasPull: false,
};

/** Reads how far the set-up is. Of several accounts with the App, the first counts. */
export async function readState(deps: StateDeps): Promise<SetUpState> {
  const [all, last] = await Promise.all([deps.installations.list(), deps.lastWebhook()]);
  const installation = all.find(({ suspended }) => !suspended);
  const hasWebhook = last !== null;
  if (!installation) return { account: null, hasWebhook, ...NOTHING };
  const org = await deps.organizations.byInstallation(installation.id);
  const account = { installation: installation.id, login: installation.account.login, org };
  if (!org) return { account, hasWebhook, ...NOTHING };
  const [hasOwner, { policy, number }, leftOpen, counts, hasPull] = await Promise.all([
    hasEnrolledOwner(deps, org),
    deps.policies.inForce(org.orgId),
    deps.leftOpen(org),
    deps.repositoryChecks.counts(org.id),
    hasWaitingPull(deps, org),
  ]);
  const isRequired = counts.protected > 0;
  if (!isRequired) await deps.checkAgain(org.id);
  const enrolment = { mode: policy.enrolment.mode, isChosen: number > 0 };
  return { account, hasWebhook, hasOwner, enrolment, leftOpen, isRequired, hasPull };
}

async function hasEnrolledOwner({ memberships }: StateDeps, { id }: Org): Promise<boolean> {
  for (let after = ''; ; ) {
    const { members } = await memberships.list(id, { state: 'all', search: '', after, most: MEMBERS_A_PAGE });
    if (members.some(({ role, enrolled }) => role === 'admin' && enrolled)) return true;
    if (members.length < MEMBERS_A_PAGE) return false;
    after = members.at(-1)?.login ?? '';
  }
}

async function hasWaitingPull({ waitingPulls, statistics }: StateDeps, { id, orgId }: Org): Promise<boolean> {
  const waiting = await waitingPulls.since(id, new Date(0), { number: 1, size: 1 });
  return waiting.length > 0 || (await statistics.days(orgId)).length > 0;
}
