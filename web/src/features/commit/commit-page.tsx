import ApprovalProofs from '../../components/approval-proofs.tsx';
import { Card } from '../../components/card.tsx';
import { GithubLink, InternalLink } from '../../components/controls.tsx';
import { Incomplete } from '../../components/incomplete.tsx';
import { Hash, Label } from '../../components/text.tsx';
import { pullAddress } from '../../lib/address/github.ts';
import { missingOf } from '../../lib/address/page-context.ts';
import { useClient, usePageContext, useUser } from '../../lib/react/use-client.ts';
import { findOrganization } from '../../lib/session/user.ts';

const TITLE = 'Approvals of a commit';
const NEEDS = ['owner', 'repo', 'head'] as const;
const NONE = 'No OTP activity found for commit';

/** `/commit`: who approved a commit or its deployment, when, and with which authenticator; with `pr`, how its pull request went. */
export function CommitPage() {
  const context = usePageContext();
  const { config } = useClient();
  const organization = findOrganization(useUser(), context);
  const { head, pr, repo, repoID, owner } = context;
  if (missingOf(context, NEEDS) !== null) return <Incomplete title={TITLE} needs={NEEDS} />;
  const ownerID = String(organization?.orgId);
  return (
    <Card title={TITLE}>
      <p className="spread">
        <span>
          <Hash hash={head} /> in{' '}
          <GithubLink
            href={pr ? pullAddress(config, context) : `${config.github}/${owner}/${repo}/commit/${head}`}
            newTab
          >
            <Label text={pr ? `${repo} #${pr}` : repo} inline />
          </GithubLink>
        </span>
        <InternalLink className="target on-screen" to="/verify">
          Verify a receipt or an export
        </InternalLink>
      </p>
      {organization ? (
        <ApprovalProofs
          target={{ owner, ownerID, repo, head, ...(pr && { story: pr }), ...(repoID && { repoID }) }}
          none={NONE}
        />
      ) : (
        <p>{NONE}</p>
      )}
    </Card>
  );
}
