import { createDeliveries, type Deliveries, type Event } from './deliveries.ts';
import type { InstallationBook } from './installation-book.ts';
import type { Account } from './shapes.ts';
import type { Upstream } from './upstream.ts';

type Payload = Record<string, unknown> & {
  action?: string;
  repository?: { owner: Account };
  organization?: Account;
};

export type Hooks = {
  deliveries: Deliveries;
  /** An event of the emulator: what it leaves out is added, and what the layer sends itself is dropped. */
  receive(event: Event): void;
  /** An event of the layer's own about the account `login`. Dropped where the App is not installed. */
  emit(login: string, event: Event): void;
  close(): Promise<void>;
};

type Complete = (event: Event) => Promise<Event>;

/** `edited` needs `changes`, and `PATCH` of a base sends nothing: the layer sends these itself. */
const isSentByLayer = ({ name, payload }: Event) =>
  ['pull_request edited', 'repository edited', 'repository transferred'].includes(
    `${name} ${(payload as Payload).action}`,
  );

/** Events that every App hears of, whatever it subscribed to. */
const UNASKED = ['installation', 'installation_repositories'];

/** The App's webhooks: completed in the order in which they come, then delivered. */
export function createHooks(input: {
  url: string;
  secret: string;
  upstream: Upstream;
  installations: InstallationBook;
  complete: Complete;
  /** Events of the emulator that GitHub would not send. */
  isSilent(event: Event): boolean;
}): Hooks {
  const deliveries = createDeliveries(input);
  let inbox = Promise.resolve();

  const organizationOf = async (login: string) => {
    const org = await input.upstream.get<Account & Record<string, unknown>>(`/orgs/${login}`);
    if (!org) return undefined;
    const { id, node_id, url, repos_url, events_url, hooks_url, issues_url } = org;
    const { members_url, public_members_url, avatar_url, description } = org;
    const urls = { url, repos_url, events_url, hooks_url, issues_url, members_url, public_members_url };
    return { login: org.login, id, node_id, ...urls, avatar_url, description };
  };

  const dispatch = async (login: string, event: Event) => {
    const installation = input.installations.on(login);
    // An `installation` event tells the App of the very change that silences all others.
    if (event.name !== 'installation' && (!installation || installation.suspended_at)) return;
    if (installation && ![...UNASKED, ...installation.events].includes(event.name)) return;
    const completed = await input.complete(event);
    const organization = event.name === 'installation' ? undefined : await organizationOf(login);
    const payload: Payload = { ...completed.payload };
    if (organization) payload.organization = organization;
    if (installation && payload.installation === undefined) {
      payload.installation = { id: installation.id, node_id: `${installation.id}` };
    }
    deliveries.send({ name: event.name, payload });
  };

  const post = (login: string, event: Event) => {
    // Only an emulator that is ending fails here, and its last events are nobody's any more.
    inbox = inbox.then(() => dispatch(login, event)).catch(() => undefined);
  };

  return {
    deliveries,
    receive: (event) => {
      const { repository, organization } = event.payload as Payload;
      const login = repository?.owner.login ?? organization?.login;
      if (login !== undefined && !isSentByLayer(event) && !input.isSilent(event)) post(login, event);
    },
    emit: post,
    close: async () => {
      await inbox;
      await deliveries.close();
    },
  };
}
