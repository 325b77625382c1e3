import { isGranted } from '../administration.ts';
import type { Installation, Repository } from '../github-objects.ts';
import type { RouteDeps } from '../route-deps.ts';

/** The Apps whose rule an administrator can enable: installed in the repository, with the permission and the event. */
export function availableApps({ installations }: Pick<RouteDeps, 'installations'>, repo: Repository) {
  const ours = installations.findByLogin(repo.owner.login);
  const all = [...(ours ? [ours] : []), ...installations.ofOthers(repo.owner)];
  const canGate = (one: Installation) =>
    !one.suspended_at &&
    installations.includes(one, repo.id) &&
    isGranted(one, 'deployments', 'write') &&
    one.events.includes('deployment_protection_rule');
  return all.filter(canGate).map(({ id, app_slug }) => ({ id: installations.appOf(id), slug: app_slug }));
}
