import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { DeployParamsAnswer, ShownDecision } from '../../../../src/contract/deployments.ts';
import { listWords } from '../../../../src/contract/rule-words.ts';
import { Person } from '../../components/avatar.tsx';
import { GithubLink, InternalLink } from '../../components/controls.tsx';
import { Detail } from '../../components/detail.tsx';
import { checkIcon, errorIcon, Icon } from '../../components/icon.tsx';
import { Subject, SubjectSkeleton } from '../../components/subject.tsx';
import { Ago, Commit, Label, SkeletonLine, SpelledName } from '../../components/text.tsx';

/** How GitHub's events start a run; others are shown by their own name. */
const STARTS: Record<string, string> = {
  workflow_dispatch: 'by hand',
  repository_dispatch: 'through the API',
  push: 'by a push',
  release: 'by a release',
  schedule: 'on a schedule',
};

/** Shows what is about to be deployed. All of it comes from the server; the statement has what a person signs. */
export function DeploymentOverview({ request }: { request: DeployParamsAnswer }) {
  const { statement, deployment } = request;
  const { head, repo } = statement;
  const { startedBy, pull, changesUrl, decisions } = deployment;
  const start = (
    <>
      , {STARTS[statement.event] ?? <Label text={statement.event} inline />}, <Ago at={deployment.since} />
    </>
  );
  return (
    <>
      <Subject
        place={statement.repo.name}
        title={
          <GithubLink href={deployment.url} newTab>
            <Label text={deployment.title} inline />
          </GithubLink>
        }
      >
        <Detail name="Deploys to">
          <strong>
            <SpelledName name={statement.environment} />
          </strong>
        </Detail>
        <Detail name="Workflow">
          <code>
            <SpelledName name={statement.workflow} />
          </code>
        </Detail>
        <Detail name="Started by">
          {startedBy ? <Person {...startedBy}>{start}</Person> : <>a deleted account{start}</>}
        </Detail>
        {statement.attempt > 1 && (
          <Detail name="Attempt">{statement.attempt}: it was started again, and needs new approvals</Detail>
        )}
        <Detail name="Commit">
          <GithubLink href={deployment.commitUrl} newTab>
            <Commit sha={statement.head} />
          </GithubLink>{' '}
          of{' '}
          <code>
            <SpelledName name={statement.ref} />
          </code>
        </Detail>
        <Detail name="Came in by">{pull ? <BroughtInBy {...pull} /> : 'No merged pull request'}</Detail>
        {changesUrl && (
          <Detail name="Changes">
            <GithubLink href={changesUrl} newTab>
              Since the last deployment
            </GithubLink>
          </Detail>
        )}
      </Subject>
      {decisions.length > 0 && (
        <div className="stack gap-1">
          <ul aria-label="Decisions">
            {decisions.map((one) => (
              <Decided key={`${one.login} ${one.at}`} {...one} />
            ))}
          </ul>
          <InternalLink className="target" to="/commit" query={{ head, repoID: String(repo.id) }}>
            Proofs and receipts
          </InternalLink>
        </div>
      )}
    </>
  );
}

type Pull = NonNullable<DeployParamsAnswer['deployment']['pull']>;

const BroughtInBy = ({ number, title, author, url, approvedBy }: Pull) => (
  <>
    <GithubLink href={url} newTab>
      #{number} <Label text={title} inline />
    </GithubLink>{' '}
    by {author ?? 'a deleted account'},{' '}
    {approvedBy.length > 0 ? `approved by ${listWords(approvedBy, 'and')}` : 'approved by nobody here'}
  </>
);

/** One decision in force. */
function Decided({ decision, login, method, at, reason, isYours }: ShownDecision) {
  const isApproval = decision === 'approve';
  return (
    <li className={`marked ${isApproval ? 'success' : 'danger'}`}>
      <Icon path={isApproval ? checkIcon : errorIcon} />
      <span>
        {isYours ? 'You' : <bdi>{login}</bdi>} {isApproval ? 'approved' : 'rejected'} this deployment{' '}
        <Ago at={at} /> with {authenticatorKinds[method].method}
        {reason && (
          <>
            : <Label text={reason} inline />
          </>
        )}
      </span>
    </li>
  );
}

const LIKELY = {
  'Deploys to': 'release',
  // As wide as the file's name in the font of code: two lines on a phone.
  Workflow: '.github/workflows/ and release.yml',
  'Started by': 'somebody, by hand, just now',
  Commit: '00000000 of main',
  'Came in by': 'No merged pull request',
};

/** The facts and what is needed, while they load. */
export const OverviewSkeleton = () => (
  <>
    <SubjectSkeleton place="octo-org/hello" title="Release" facts={LIKELY} />
    <SkeletonLine like="Needs 1 approval from any member." />
  </>
);
