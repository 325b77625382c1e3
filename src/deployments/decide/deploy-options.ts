import { findHeld, usesOf } from '../../approvals/approve/approval-options.ts';
import { statementChallenge } from '../../approvals/approve/make-statement.ts';
import { previewUses } from '../../approvals/approve/require-counted.ts';
import { firstOneObstacle } from '../../authenticators/register/first-one-obstacle.ts';
import { issueChallenge, requestOptions } from '../../authenticators/step-up/challenges.ts';
import type { DeploymentTarget, DeployParamsAnswer, ShownDeployment } from '../../contract/deployments.ts';
import { problems } from '../../contract/problems.ts';
import type { Session } from '../../people/ports.ts';
import { repositoryPage } from '../../shared/deployment-links.ts';
import { pullUrl } from '../../shared/links.ts';
import type { DeployCallDeps } from '../deps.ts';
import { judgeDeployment, needsOf } from '../judge/judge-deployment.ts';
import { type Origin, readOrigin } from '../judge/origin.ts';
import { type AuthorizedDeployment, authorizeDecider } from './authorize-decider.ts';
import { makeDeploymentStatement } from './make-statement.ts';

/**
 * The statement about this deployment, what the page shows next to it, and the WebAuthn request that lets the person sign
 * it.
 *
 * @param input.reason Why the person rejects it; undefined to approve it.
 * @param input.method As for an approval: `totp`, `show` or `show-code`.
 * @throws AppError with each refusal of `authorizeDecider`, or `missingAuthenticator`.
 */
export async function deployOptions(
  deps: DeployCallDeps,
  input: {
    person: Session;
    target: DeploymentTarget;
    reason: string | undefined;
    method: string | undefined;
  },
): Promise<DeployParamsAnswer> {
  const { person, reason, method } = input;
  const { userId } = person;
  const authorized = await authorizeDecider(deps, person, input.target);
  const { org, repo, shown, deployment, fromOutside } = authorized;
  const isByCode = method === 'totp' || method === 'show-code';
  const isForAnyone = method === 'show' || method === 'show-code';
  const [held, origin, lastDeployed] = await Promise.all([
    findHeld(deps, { userId, orgRecordId: org.id, method, isForAnyone }),
    readOrigin(deps, repo, shown.run),
    deps.workflowRuns.lastDeployed(repo, shown.environment),
  ]);
  const judged = await judgeDeployment(deps, shown, { person, origin });
  const { policy } = judged.policy;
  const uses = usesOf(policy.assurance, isByCode ? 'totp' : held);
  const { refusal, userVerification } = previewUses(judged.subject, judged.grounds, {
    person,
    fromOutside,
    uses,
  });
  const registration = { policy, userId, orgRecordId: org.id, onlyCodes: isByCode };
  const obstacle = held.length === 0 ? await firstOneObstacle(deps, registration) : null;
  const statement = makeDeploymentStatement(deps, { person, shown, reason });
  const challenge = statementChallenge(statement);
  const options = await requestOptions(deps.relyingParty, held, { challenge, userVerification });
  const { purpose } = statement;
  if (!isByCode && !isForAnyone)
    await issueChallenge(deps, { challenge, purpose, userId, orgId: org.orgId, subject: statement });
  const isOver = deployment.state !== 'waiting';
  return {
    ...{ challenge, options, statement },
    deployment: {
      ...(await showDeployment(deps, { authorized, origin, lastDeployed })),
      decisions: judged.decisions.map(({ githubId, decision, login, method: by, at, reason: why }) => ({
        ...{ decision, login, method: by, reason: why },
        at: at.toISOString(),
        isYours: githubId === person.githubId,
      })),
    },
    rules: judged.rules.map(({ counted, ...rule }) => ({ ...rule, by: counted.map(({ login }) => login) })),
    passed: judged.passed,
    needs: needsOf(judged),
    refusal: isOver ? problems.deploymentDecided[1] : (refusal ?? obstacle),
  };
}

async function showDeployment(
  deps: DeployCallDeps,
  about: { authorized: AuthorizedDeployment; origin: Origin; lastDeployed: string | null },
): Promise<Omit<ShownDeployment, 'decisions'>> {
  const { authorized, origin, lastDeployed } = about;
  const { repo, shown, deployment } = authorized;
  const { id, head, title, startedBy } = shown.run;
  const isNew = lastDeployed !== null && lastDeployed !== head;
  const page = (path: Parameters<typeof repositoryPage>[2]) => repositoryPage(deps.origins, repo, path);
  return {
    state: deployment.state,
    url: page(`actions/runs/${id}`),
    commitUrl: page(`commit/${head}`),
    title,
    startedBy: startedBy && { login: startedBy.login, avatarUrl: startedBy.avatarUrl },
    since: deployment.since.toISOString(),
    pull: origin.pull && (await showPull(deps, origin.pull)),
    changesUrl: isNew ? page(`compare/${lastDeployed}...${head}`) : null,
  };
}

async function showPull(
  deps: DeployCallDeps,
  pull: NonNullable<Origin['pull']>,
): Promise<NonNullable<ShownDeployment['pull']>> {
  const { number, title, author, repo, head } = pull;
  const { valid } = await deps.approvals.ofHead(repo.id, head);
  return {
    ...{ number, title, author: author?.login ?? null, url: pullUrl(deps.origins, pull) },
    approvedBy: [...new Set(valid.map(({ login }) => login))],
  };
}
