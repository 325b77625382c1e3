import { toApiUrls } from './api-address.ts';
import { readStoredHead } from './checks.ts';
import { completeAccounts } from './complete-answers.ts';
import { APP } from './credentials.ts';
import { createDeliveries, type Event } from './deliveries.ts';
import type { EmulatorClient } from './emulator-client.ts';
import type { Account, AppAccess, CheckRun, CheckSuite } from './github-objects.ts';
import type { Installations } from './installations.ts';
import type { PullOverlay } from './pull-overlay.ts';
import { enterpriseVersionOf, type SpeaksAs } from './speaks-as.ts';

type Payload = Record<string, unknown> & {
  action?: string;
  check_run?: CheckRun;
  check_suite?: CheckSuite;
  repository?: { id: number; owner: Account };
  organization?: Account;
};

export type Webhooks = ReturnType<typeof createWebhooks>;

/**
 * The emulator sends `edited` without `changes`, nothing if a base changes, and `review_requested` without whom it's
 * about, so our routes send these.
 */
const isSentByRoutes = ({ name, payload }: Event) =>
  [
    'pull_request edited',
    'pull_request review_requested',
    'repository edited',
    'repository transferred',
  ].includes(`${name} ${(payload as Payload).action}`);

/** Every App receives these events, subscribed or not. */
const UNSUBSCRIBED = ['installation', 'installation_repositories'];

/** The permissions of which an App needs one for an event (GitHub: "Webhook events and payloads"). */
const NEEDED: Record<string, string[]> = {
  branch_protection_configuration: ['administration'],
  branch_protection_rule: ['administration'],
  deploy_key: ['deployments'],
  deployment_protection_rule: ['deployments'],
  member: ['members'],
  membership: ['members'],
  organization: ['members'],
  repository_ruleset: ['administration', 'organization_administration'],
};

/** These are about checks to run, and go to their App. Every App that may read checks receives what became of them. */
const REQUESTS = ['requested', 'rerequested', 'requested_action'];

/** GitHub subscribes each App that may write checks to the events of all Apps' checks. */
const receivesOfCheck = (
  { events, permissions: { checks } }: AppAccess,
  { name, action, check }: { name: string; action: string | undefined; check: CheckRun | CheckSuite },
) =>
  REQUESTS.includes(action ?? '')
    ? checks === 'write' && readStoredHead(check).app === APP.id
    : checks === 'write' || (checks !== undefined && events.includes(name));

const receives = (access: AppAccess, name: string, { action, check_run, check_suite }: Payload) => {
  const check = check_run ?? check_suite;
  if (check) return receivesOfCheck(access, { name, action, check });
  const { events, permissions } = access;
  const isAllowed = NEEDED[name]?.some((permission) => permissions[permission]) ?? true;
  return UNSUBSCRIBED.includes(name) || (events.includes(name) && isAllowed);
};

/** The REST API has the state of a review in capitals, and the webhooks don't. */
function withReviewState({ name, payload }: Event): Event {
  const { review } = payload as { review?: { state: string } };
  if (name !== 'pull_request_review' || !review) return { name, payload };
  return { name, payload: { ...payload, review: { ...review, state: review.state.toLowerCase() } } };
}

async function readOrganization(emulator: EmulatorClient, login: string) {
  const org = await emulator.get<Account & Record<string, unknown>>(`/orgs/${login}`);
  if (!org) return undefined;
  const { id, node_id, url, repos_url, events_url, hooks_url, issues_url } = org;
  const { members_url, public_members_url, avatar_url, description } = org;
  const urls = { url, repos_url, events_url, hooks_url, issues_url, members_url, public_members_url };
  return { login: org.login, id, node_id, ...urls, avatar_url, description };
}

/** The App's webhooks: completed in the order in which they happen, then delivered. */
export function createWebhooks(input: {
  origin: string;
  apiUrl: string;
  speaksAs: SpeaksAs;
  url: string;
  secret: string;
  emulator: EmulatorClient;
  pullOverlay: PullOverlay;
  installations: Installations;
  addFields(event: Event): Promise<Event>;
  /** True for events of the emulator that GitHub wouldn't send. */
  isSuppressed(event: Event): boolean;
}) {
  const version = enterpriseVersionOf(input.speaksAs);
  const enterprise = version === undefined ? undefined : { host: new URL(input.origin).host, version };
  const deliveries = createDeliveries({ ...input, enterprise });
  let queue = Promise.resolve();

  const dispatch = async (login: string, event: Event) => {
    const installation = input.installations.findByLogin(login);
    // GitHub sends `installation` even for the change that ends all other events.
    if (event.name !== 'installation' && (!installation || installation.suspended_at)) return;
    const { repository } = event.payload as Payload;
    if (installation && !receives(installation, event.name, event.payload as Payload)) return;
    if (installation && repository && !input.installations.includes(installation, repository.id)) return;
    const completed = await input.addFields({
      ...event,
      payload: input.pullOverlay.apply(event.payload) as Payload,
    });
    const organization =
      event.name === 'installation' ? undefined : await readOrganization(input.emulator, login);
    const payload: Payload = { ...completed.payload };
    if (organization) payload.organization = organization;
    // The emulator names the account's first installation, even after the App was installed again.
    if (installation && event.name !== 'installation') {
      payload.installation = { id: installation.id, node_id: `${installation.id}` };
    }
    const whole = toApiUrls(input, JSON.stringify(completeAccounts(payload, input.origin)));
    deliveries.send({ name: event.name, payload: JSON.parse(whole) as Payload });
  };

  /** Sends an event about the account `login`; drops it if the App isn't installed there. */
  const send = (login: string, event: Event) => {
    // This fails only while the emulator shuts down, and nobody waits for its last events.
    queue = queue.then(() => dispatch(login, event)).catch(() => undefined);
  };

  return {
    /** Where they go. */
    url: input.url,
    deliveries,
    /** Takes an event of the emulator: adds the fields that it omits, and drops the events that we send ourselves. */
    receive: (event: Event) => {
      const { repository, organization } = event.payload as Payload;
      const login = repository?.owner.login ?? organization?.login;
      if (login !== undefined && !isSentByRoutes(event) && !input.isSuppressed(event))
        send(login, withReviewState(event));
    },
    send,
    close: async () => {
      await queue;
      await deliveries.close();
    },
  };
}
