import { useClient } from '../lib/use-client.ts';
import { GithubLink } from './github-link.tsx';

/** Shown instead of an empty list of organizations. */
export function NoOrganizations() {
  const { install } = useClient().config;
  return (
    <p>No GitHub organizations enrolled yet. {install && <GithubLink href={install}>Add one</GithubLink>}</p>
  );
}
