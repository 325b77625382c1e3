import { useClient } from '../lib/use-client.ts';
import { GithubLink } from './github-link.tsx';

/** What stands in the place of a list of organizations that is empty. */
export function NoOrganizations() {
  const { install } = useClient().config;
  return (
    <p>No GitHub organizations enrolled yet. {install && <GithubLink href={install}>Add one</GithubLink>}</p>
  );
}
