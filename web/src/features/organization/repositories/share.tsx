import { GithubLink } from '../../../components/controls.tsx';
import { useClient, useUser } from '../../../lib/react/use-client.ts';
import styles from './repositories.module.css';

const TEXTS = { all: 'All Repositories Shared', selected: 'Selected repositories are shared.' };

type Props = {
  installation: string;
  /** The account that has the installation. */
  owner: string;
  /** Undefined if it isn't known. */
  selection: keyof typeof TEXTS | undefined;
  /** True if no repository is shared. */
  isEmpty: boolean;
  /** False only if the person is known not to be an owner. */
  mayChange?: boolean;
};

/** Says which repositories GitHub shares with the App, and links to GitHub's page on which an owner chooses them. */
export function Share({ installation, owner, selection, isEmpty, mayChange = true }: Props) {
  const { github } = useClient().config;
  const { username } = useUser();
  // For a personal account, whose name is the login of the person, GitHub has a different page.
  const isOwn = !owner || owner.toLowerCase() === username.toLowerCase();
  const account = isOwn ? github : `${github}/organizations/${encodeURIComponent(owner)}`;
  return (
    <p className="links target">
      {!isEmpty && selection && TEXTS[selection]}
      {(isEmpty || mayChange) && (
        <GithubLink
          className={`target ${styles.link}`}
          href={`${account}/settings/installations/${encodeURIComponent(installation)}`}
        >
          {isEmpty ? 'Connect your first repository with GitHub' : 'Change on GitHub'}
        </GithubLink>
      )}
    </p>
  );
}
