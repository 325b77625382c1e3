/** Sends a request to the local GitHub as the owner octocat; returns the parsed answer. */
type Send = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/** A planted way around the check. */
export type PlantedWay = {
  /** The repository, without its owner; null for the organization. */
  repo: string | null;
  /** The step with which an owner closes it. */
  close(): Promise<unknown>;
};

const ORG = 'octo-org';
const DEFAULT_BRANCH = { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } };
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFakeReleaseKey release';

/** GitHub's rule that only pull requests change a branch, without reviews. */
export const PULL_REQUEST = {
  type: 'pull_request',
  parameters: {
    required_approving_review_count: 0,
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_review_thread_resolution: false,
  },
};

const actorOf = (actor_type: string, actor_id: number, bypass_mode = 'always') => ({
  bypass_actors: [{ actor_type, actor_id, bypass_mode }],
});

/**
 * Plants ten ways around our check in `octo-org`, each in a repository of its own but for the App. Its repository `hello`
 * stays without one.
 */
export async function plantWays(send: Send, appID: number) {
  const path = (repo: string) => `/repos/${ORG}/${repo}`;
  const create = (repo: string) =>
    send<unknown>('POST', `/orgs/${ORG}/repos`, { name: repo, auto_init: true });

  const rulesetOf = (integration?: number) => {
    const check = { context: 'OTP Guard', ...(integration !== undefined && { integration_id: integration }) };
    const parameters = { strict_required_status_checks_policy: false, required_status_checks: [check] };
    return {
      name: 'OTP Guard',
      enforcement: 'active',
      conditions: DEFAULT_BRANCH,
      rules: [{ type: 'required_status_checks', parameters }, PULL_REQUEST],
    };
  };
  /** A repository with a ruleset that differs from a tight one by `values`. */
  const inRuleset = async (repo: string, values: object): Promise<PlantedWay> => {
    await create(repo);
    const body = { ...rulesetOf(appID), ...values };
    const { id } = await send<{ id: number }>('POST', `${path(repo)}/rulesets`, body);
    const tight = { ...rulesetOf(appID), bypass_actors: [] };
    return { repo, close: () => send('PUT', `${path(repo)}/rulesets/${id}`, tight) };
  };

  const installations = `/_local/organizations/${ORG}/installations`;
  const install = (app_slug: string, permissions: object) =>
    send<{ id: number; app_id: number }>('POST', installations, { app_slug, permissions });

  const bypassingTeam = async () => {
    const team = await send<{ id: number }>('POST', `/orgs/${ORG}/teams`, { name: 'Releases' });
    return inRuleset('bypassing-team', actorOf('Team', team.id));
  };
  const exemptApp = async () => {
    const { app_id } = await install('merger', { metadata: 'read' });
    return inRuleset('exempt-app', actorOf('Integration', app_id, 'exempt'));
  };
  const withoutCheck = async (): Promise<PlantedWay> => {
    await create('without-check');
    const close = () => send('POST', `${path('without-check')}/rulesets`, rulesetOf(appID));
    return { repo: 'without-check', close };
  };
  const freeAdministrators = async (): Promise<PlantedWay> => {
    const repo = 'free-administrators';
    await create(repo);
    const protection = `${path(repo)}/branches/main/protection`;
    await send('PUT', protection, {
      required_status_checks: { strict: false, checks: [{ context: 'OTP Guard', app_id: appID }] },
      enforce_admins: false,
      required_pull_request_reviews: { required_approving_review_count: 0 },
      restrictions: null,
    });
    return { repo, close: () => send('POST', `${protection}/enforce_admins`) };
  };
  const writingKey = async (): Promise<PlantedWay> => {
    const { repo } = await inRuleset('writing-key', {});
    const keys = `${path('writing-key')}/keys`;
    const { id } = await send<{ id: number }>('POST', keys, { title: 'Release', key: KEY });
    return { repo, close: () => send('DELETE', `${keys}/${id}`) };
  };
  const writingApp = async (): Promise<PlantedWay> => {
    const { id } = await install('deployer', { contents: 'write', metadata: 'read' });
    return { repo: null, close: () => send('DELETE', `${installations}/${id}`) };
  };
  const customRole = async (): Promise<PlantedWay> => {
    const roles = `/orgs/${ORG}/custom-repository-roles`;
    const permissions = ['bypass_branch_protection'];
    const role = { name: 'Releaser', base_role: 'write', permissions };
    const { id } = await send<{ id: number }>('POST', roles, role);
    const { repo, close } = await inRuleset('custom-role', actorOf('RepositoryRole', id));
    const closeBoth = async () => {
      await close();
      await send('PATCH', `${roles}/${id}`, { permissions: [] });
    };
    return { repo, close: closeBoth };
  };

  const feature = { ref_name: { include: ['refs/heads/release/*'], exclude: [] } };
  return {
    bypassingTeam: await bypassingTeam(),
    exemptApp: await exemptApp(),
    onlyEvaluated: await inRuleset('only-evaluated', { enforcement: 'evaluate' }),
    otherBranches: await inRuleset('other-branches', { conditions: feature }),
    anySource: await inRuleset('any-source', { rules: rulesetOf().rules }),
    withoutCheck: await withoutCheck(),
    freeAdministrators: await freeAdministrators(),
    writingKey: await writingKey(),
    writingApp: await writingApp(),
    customRole: await customRole(),
  };
}
