import { type Parties, statementParts } from '../../authenticators/step-up/challenges.ts';
import type { DeployStatement, RejectStatement } from '../../contract/statement.ts';
import { sha256Base64url } from '../../shared/crypto.ts';
import type { DeployCallDeps } from '../deps.ts';
import { keyOf, type ShownRun } from '../judge/judge-deployment.ts';

/** Says what this person is about to decide: the run as it is now. @param about.reason Undefined to approve it. */
export function makeDeploymentStatement(
  { origins, clock, random }: Pick<DeployCallDeps, 'origins' | 'clock' | 'random'>,
  { person, shown, reason }: Pick<Parties, 'person'> & { shown: ShownRun; reason: string | undefined },
): DeployStatement | RejectStatement {
  const { repo, run, org } = shown;
  const { repoId: id, ...key } = keyOf(shown);
  const parts = {
    ...statementParts({ host: origins.publicUrl, clock, random }, { person, org }),
    repo: { id, name: `${repo.owner}/${repo.name}` },
    ...key,
    ...{ head: run.head, ref: run.ref, event: run.event, workflow: run.workflow },
  };
  return reason === undefined
    ? { ...parts, purpose: 'deploy' }
    : { ...parts, purpose: 'reject', reasonSha256: sha256Base64url(reason) };
}
