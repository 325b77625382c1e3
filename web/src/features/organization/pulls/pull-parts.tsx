import { Link } from 'react-router-dom';
import type { WaitingPull } from '../../../../../src/contract/organization.ts';
import { GithubLink } from '../../../components/controls.tsx';
import { Ago, Commit, Label } from '../../../components/text.tsx';
import { safePath } from '../../../lib/address/safe-url.ts';
import { useClient } from '../../../lib/react/use-client.ts';

type Props = { pull: WaitingPull };

/** The title of a pull request, linked to GitHub, its repository, and since when it waits. */
export const PullTitle = ({ pull: { repo, pr, title, author, head, since, url } }: Props) => (
  <div>
    <GithubLink className="title-link" href={url}>
      <Label text={title || `#${pr}`} />
    </GithubLink>
    <p className="quiet">
      <bdi>
        {repo} #{pr}
      </bdi>
      {author && (
        <>
          {' '}
          by <bdi>{author}</bdi>
        </>
      )}
      , <Commit sha={head} />, <Ago at={since} />
    </p>
  </div>
);

/** The link to the page that approves it. */
export function ApproveLink({ pull: { repo, pr, approval } }: Props) {
  const { config } = useClient();
  const path = safePath(approval, config);
  if (!path) return null;
  return (
    <Link className="target" to={path}>
      Approve
      <span className="visually-hidden">
        {' '}
        {repo} #{pr}
      </span>
    </Link>
  );
}
