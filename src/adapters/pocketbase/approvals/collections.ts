import type { OpenPull, RunState, StoredApproval } from '../../../approvals/ports.ts';
import type { ReconcileReport } from '../../../approvals/reconcile/ports.ts';
import { authenticatorTypes } from '../../../contract/authenticator-kinds.ts';
import type { AnyStatement, BatchStatement } from '../../../contract/statement.ts';
import { DAY_MS, define } from '../schema/definition.ts';
import { bool, created, date, json, number, relation, select, text, updated } from '../schema/fields.ts';

type Assertion = NonNullable<StoredApproval['proof']>['assertion'];

export const approvals = {
  approvals: define({
    // The time of an approval is in its statement.
    covered: [
      number('repo_id'),
      number('pr'),
      text('base'),
      text('head'),
      number('user_id'),
      text('login'),
      number('org_id'),
      select('method', authenticatorTypes),
      bool('user_verified'),
      // The purpose of this statement alone tells what a record is.
      json<'statement', AnyStatement | null>('statement'),
      json<'assertion', Assertion | null>('assertion'),
      text('public_key', { max: 5000 }),
      // The batch that the assertion signed, if it approved several commits together.
      json<'batch', BatchStatement | null>('batch'),
      // The record id of the authenticator.
      text('authenticator'),
      text('aaguid'),
      bool('model_verified'),
      bool('from_outside'),
      // Empty while the approval counts. A withdrawn one stays, and the same person may approve that head again.
      text('withdrawn'),
    ],
    fields: [
      number('installation_id'),
      text('repo_name'),
      // The time at which the pull request was opened; only for statistics.
      date('opened'),
      date('reported'),
      // GitHub may still show a check that passed by this approval.
      bool('withdrawal_unreported'),
      // The reason of a denial or a rejection: its statement has the hash of it.
      text('reason'),
      // The purpose of the statement, and what a decision is about. Both are empty for an approval, and only for filters
      // and the index.
      text('kind'),
      text('deployment'),
      // The day on which a decision was made, for the index: an approval of a deployment can be given again once it expired.
      text('day'),
      created,
    ],
    indexes: [
      // A person whose approval doesn't count by a policy can approve again in a way that does.
      'UNIQUE repo_id, pr, base, head, user_id, withdrawn, authenticator, user_verified, from_outside, kind, deployment, day',
      'repo_id, head',
      'reported',
      'withdrawal_unreported',
      'org_id, user_id, head, created, id',
      'org_id, head',
      'org_id, user_id, created, id',
      'org_id, created, id',
      // Has all that the statistics read, in their groups.
      'org_id, SUBSTR(created, 1, 10), kind, repo_id, pr, created, opened',
      'org_id, kind, user_id',
      'deployment, repo_id',
    ],
    changesOnce: ['withdrawn'],
    expires: 'never',
    people: [{ filter: 'user_id = {:githubId}', named: { id: 'user_id', login: 'login' } }],
    restored: 'from-backup',
  }),

  open_pulls: define({
    covered: null,
    fields: [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('repo_id'),
      text('repo_name'),
      number('pr'),
      text('title'),
      text('author'),
      text('head'),
      text('base'),
      bool('approved'),
      // The time at which it got this head.
      date('since'),
      // The time at which it was opened, its requested reviewers, and its lacks.
      date('opened'),
      json<'reviewers', OpenPull['reviewers']>('reviewers'),
      json<'lacks', OpenPull['lacks'] | null>('lacks'),
      // The newest denial of its head.
      json<'denied', OpenPull['denied']>('denied'),
      // What agents had a hand in: one line.
      text('agents', { max: 2000 }),
      // The last change of its lacks, or of anything above that we read from GitHub.
      date('changed'),
    ],
    indexes: [
      'UNIQUE repo_id, pr',
      'org, approved, since, id',
      'org, approved, changed, id',
      'head, pr',
      'approved, repo_id',
    ],
    // The webhook or the sweep that finds the pull request closed deletes it.
    expires: 'never',
    people: 'as-github',
    restored: 'from-backup',
  }),

  check_runs: define({
    covered: null,
    fields: [
      number('repo_id'),
      text('head'),
      number('attempt'),
      number('check_run_id'),
      text<'phase', RunState['phase']>('phase'),
      text('fingerprint'),
      bool('may_be_green'),
      date('since'),
      created,
      updated,
    ],
    indexes: ['UNIQUE repo_id, head, attempt', 'phase, id'],
    // A first attempt that never passed. If its pull request is opened again, the head gets another run. A run that
    // passed stays known, so that it can be taken back and isn't taken for a forged one; so do later attempts, which
    // come after a run that may have passed.
    expires: {
      time: 'since',
      keptMs: 90 * DAY_MS,
      ofHead: true,
      only: ['phase = "pending" && attempt = 1', 'phase = "prepared" && attempt = 1'],
    },
    people: 'nobody',
    restored: 'from-backup',
  }),

  merge_groups: define({
    covered: [
      number('repo_id'),
      text('head'),
      text('base_sha'),
      text('base'),
      number('pr'),
      bool('passed'),
      text('pull_head'),
    ],
    fields: [
      bool('failed'),
      number('installation_id'),
      text('repo_name'),
      text('since'),
      bool('finished'),
      created,
      updated,
    ],
    indexes: ['UNIQUE repo_id, head', 'created', 'finished, since', 'since'],
    savedWithMac: ['passed'],
    expires: { time: 'created', keptMs: 30 * DAY_MS },
    people: 'nobody',
    restored: 'from-backup',
  }),

  /** Who pushed which head, because GitHub tells only the webhook. */
  pushers: define({
    covered: [
      number('repo_id'),
      number('pr'),
      text('head'),
      number('github_id'),
      text('login'),
      bool('is_machine'),
    ],
    fields: [created],
    indexes: ['UNIQUE repo_id, pr, head, github_id', 'created, id'],
    // Who pushed a head decides who may approve it.
    expires: { time: 'created', keptMs: 180 * DAY_MS, ofHead: true },
    people: [{ filter: 'github_id = {:githubId}', named: { id: 'github_id', login: 'login' } }],
    restored: 'from-backup',
  }),

  /** Who asked for which pull request of a machine. They may no longer be assigned, or named in its text. */
  initiators: define({
    covered: [number('repo_id'), number('pr'), number('github_id'), text('login')],
    fields: [created],
    indexes: ['UNIQUE repo_id, pr, github_id', 'created, id'],
    expires: { time: 'created', keptMs: 180 * DAY_MS, ofPull: true },
    people: [{ filter: 'github_id = {:githubId}', named: { id: 'github_id', login: 'login' } }],
    restored: 'from-backup',
  }),

  /** The trees of heads, so that a later head with the same files is known as such. */
  commit_trees: define({
    covered: [text('head', { required: true }), text('tree')],
    fields: [created],
    indexes: ['UNIQUE head', 'created'],
    expires: { time: 'created', keptMs: 180 * DAY_MS },
    people: 'nobody',
    restored: 'from-backup',
  }),

  /** The findings and repairs of each reconciliation. */
  reconcile_reports: define({
    covered: null,
    fields: [json<'report', ReconcileReport>('report'), created],
    indexes: ['created'],
    expires: { time: 'created', keptMs: DAY_MS },
    people: 'nobody',
    // Until the next reconciliation, a success that the backup doesn't know may be a genuine one.
    restored: 'emptied',
  }),

  webhook_deliveries: define({
    covered: null,
    // The record's id is made from the guid, so no guid has two records.
    fields: [
      text('guid', { required: true }),
      text('event'),
      number('installation_id'),
      bool('processed'),
      created,
    ],
    indexes: ['created', 'installation_id, created'],
    // GitHub redelivers webhooks for up to three days. We refuse replays for a month.
    expires: { time: 'created', keptMs: 30 * DAY_MS },
    people: 'nobody',
    restored: 'from-backup',
  }),
};
