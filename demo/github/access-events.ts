import type { Account, Repository } from './github-objects.ts';
import type { RouteDeps } from './route-deps.ts';

/** A repository as `installation_repositories` shows it. */
const briefOf = ({ id, name, full_name, private: isPrivate }: Repository) => {
  return { id, node_id: `${id}`, name, full_name, private: isPrivate };
};

/** Returns a function that tells the App that an installation lost repositories of one account, or got them. */
export function createAccessEvents({
  installations,
  webhooks,
}: Pick<RouteDeps, 'installations' | 'webhooks'>) {
  return (
    action: 'added' | 'removed',
    repositories: readonly [Repository, ...Repository[]],
    sender: Account | undefined,
  ): void => {
    const [{ owner }] = repositories;
    const installation = installations.findByLogin(owner.login);
    const changed = {
      repositories_added: [],
      repositories_removed: [],
      [`repositories_${action}`]: repositories.map(briefOf),
    };
    const { repository_selection } = installation ?? {};
    const payload = { action, installation, repository_selection, ...changed, requester: null, sender };
    webhooks.send(owner.login, { name: 'installation_repositories', payload });
  };
}
