import type { NewApproval, NewDecision, NewDenial } from '../../../approvals/ports.ts';
import type { Effects } from '../../../audit/ports.ts';
import { recordSubject } from '../../../audit/subjects.ts';
import { authenticatorKinds } from '../../../contract/authenticator-kinds.ts';
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
  (client: StoreClient, log: ActivityLog, seals: RecordSeals) =>
  async (given: NewApproval | NewDenial | NewDecision, effects: Effects) => {
    const last_used = client.clock.now().toISOString();
    const fields = seals.signed('approvals', { id: newRecordId(), ...toFields(given, last_used) });
    const { repo, head, org, method, authenticator } = given;
    const logged: LoggedChange = {
      change(batch) {
        batch.collection('approvals').create(fields);
        // Fails if it was removed since the proof was verified, so that nothing is stored after what a lost one made was
        // withdrawn.
        batch.collection(authenticatorKinds[method].collection).update(authenticator, { last_used });
        if ('pr' in given) return;
        // The review follows from it, even if this process dies now.
        const id = deploymentId({ repoId: repo.id, ...given.statement });
        batch.collection('deployments').update(id, { due: last_used });
      },
      // The history of commits is that of pull requests.
      ...('pr' in given && linkToCommit(client, { repoId: repo.id, pr: given.pr, head, org: org.recordId })),
    };
    try {
      const withEntry = withSubject(effects, recordSubject('approvals', fields.id));
      const checkpoint = await createIfNew(() => log.send(withEntry, logged));
      const stored = {
        ...fields,
        created: last_used,
        withdrawal_unreported: false,
        withdrawn: '',
      };
      return checkpoint && { stored, checkpoint };
    } catch (error) {
      throw isMissing(error) ? new AppError('authenticatorNotFound') : error;
    }
  };

function toFields(given: NewApproval | NewDenial | NewDecision, now: string) {
  const { repo, head, org, user } = given;
  return {
    repo_id: repo.id,
    head,
    user_id: user.id,
    login: user.login,
    org_id: org.id,
    installation_id: repo.installation,
    repo_name: `${repo.owner}/${repo.name}`,
    method: given.method,
    user_verified: given.userVerified,
    assertion: given.proof?.assertion ?? null,
    public_key: given.proof?.publicKey ?? '',
    batch: given.proof?.batch ?? null,
    authenticator: given.authenticator,
    aaguid: given.aaguid,
    model_verified: given.modelVerified,
    from_outside: given.fromOutside,
    reason: 'reason' in given ? given.reason : '',
    ...aboutOf(given),
    // Its deployment knows what GitHub lacks.
    reported: 'pr' in given ? '' : now,
  };
}

function aboutOf(given: NewApproval | NewDenial | NewDecision) {
  const { statement } = given;
  const kind = statement.purpose === 'approve' ? '' : statement.purpose;
  if (!('pr' in given)) {
    const { ref: base, iat } = given.statement;
    const deployment = deploymentField(given.statement);
    const day = new Date(iat * 1000).toISOString().slice(0, 10);
    return { pr: 0, base, statement: given.statement, kind, deployment, day, opened: '' };
  }
  const { pr, base, opened } = given;
  const about = { kind, deployment: '', day: '', opened: opened.toISOString() };
  return { pr, base, statement: given.statement, ...about };
}
