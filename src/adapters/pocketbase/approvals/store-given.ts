import type { NewGiven, StoredApprovals } from '../../../approvals/ports.ts';
import { recordSubject } from '../../../audit/subjects.ts';
import { authenticatorKinds } from '../../../contract/authenticator-kinds.ts';
import type { AnyStatement } from '../../../contract/statement.ts';
import { AppError } from '../../../shared/app-error.ts';
import type { ActivityLog, LoggedChange } from '../audit/activity-log.ts';
import { withSubject } from '../audit/effects.ts';
import { createIfNew, isMissing, type StoreClient } from '../client.ts';
import { deploymentId } from '../deployments/stores.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { newRecordId } from '../records/records-of.ts';
import { deploymentField, linkToCommit } from './approval-record.ts';

/** Stores what a person gave, with its effects. Null for a duplicate: they gave the same before, in the same way. */
export const createStoreGiven =
  (client: StoreClient, log: ActivityLog, seals: RecordSeals): StoredApprovals['add'] =>
  async (given, effects) => {
    const last_used = client.clock.now().toISOString();
    const id = newRecordId();
    const fields = seals.signed('approvals', { id, ...toFields(given, last_used) });
    const { statement, repo, org, method, authenticator } = given;
    const isOfHead = 'pr' in statement;
    const logged: LoggedChange = {
      change(batch) {
        batch.collection('approvals').create(fields);
        // Fails if it was removed since the proof was verified, so that nothing is stored after what a lost one made was
        // withdrawn.
        batch.collection(authenticatorKinds[method].collection).update(authenticator, { last_used });
        if (isOfHead) return;
        // The review follows from it, even if this process dies now.
        const deployment = deploymentId({ repoId: repo.id, ...statement });
        batch.collection('deployments').update(deployment, { due: last_used });
      },
      // The history of commits is that of pull requests.
      ...(isOfHead && linkToCommit(client, { repoId: repo.id, ...statement, org: org.recordId })),
    };
    try {
      const withEntry = withSubject(effects, recordSubject('approvals', id));
      const checkpoint = await createIfNew(() => log.send(withEntry, logged));
      return checkpoint && { id, checkpoint };
    } catch (error) {
      throw isMissing(error) ? new AppError('authenticatorNotFound') : error;
    }
  };

function toFields({ statement, repo, org, user, ...given }: NewGiven, now: string) {
  const { purpose, head } = statement;
  return {
    ...aboutOf(statement, now),
    repo_id: repo.id,
    head,
    user_id: user.id,
    login: user.login,
    org_id: org.id,
    installation_id: repo.installation,
    repo_name: `${repo.owner}/${repo.name}`,
    method: given.method,
    user_verified: given.userVerified,
    statement,
    assertion: given.proof?.assertion ?? null,
    public_key: given.proof?.publicKey ?? '',
    batch: given.proof?.batch ?? null,
    authenticator: given.authenticator,
    aaguid: given.aaguid,
    model_verified: given.modelVerified,
    from_outside: given.fromOutside,
    reason: given.reason ?? '',
    opened: given.opened?.toISOString() ?? '',
    kind: purpose === 'approve' ? '' : purpose,
  };
}

function aboutOf(statement: AnyStatement, now: string) {
  if ('pr' in statement) {
    const { pr, base } = statement;
    return { pr, base, deployment: '', day: '', reported: '' };
  }
  const { ref: base, iat } = statement;
  const day = new Date(iat * 1000).toISOString().slice(0, 10);
  // Its deployment knows what GitHub lacks.
  return { pr: 0, base, deployment: deploymentField(statement), day, reported: now };
}
