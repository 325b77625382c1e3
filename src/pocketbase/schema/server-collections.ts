import { challengePurposes } from '../../authenticators/ports.ts';
import { authenticatorTypes } from '../../contract/authenticator-kinds.ts';
import { hookKinds } from '../../contract/hooks.ts';
import {
  bool,
  type Collection,
  collection,
  created,
  date,
  hidden,
  json,
  mac,
  number,
  relation,
  select,
  text,
  updated,
} from '../collections/fields.ts';
import { serverViews } from './server-views.ts';

/** The outgoing webhooks that have something to deliver. Dates are texts of one form, so they compare as such. */
const HOOK_WORK = `
  SELECT h.id, h.due, h.claimed FROM hooks h JOIN organizations o ON o.id = h.org
  WHERE h.stopped = FALSE AND o.installation_id > 0 AND o.suspended = FALSE AND (
    EXISTS (SELECT 1 FROM gh_activities a WHERE a.org = h.org AND a.entry_number > h.position)
    OR EXISTS (
      SELECT 1 FROM open_pulls p WHERE p.org = h.org AND p.approved = FALSE AND p.since >= h.pulls_from
    )
  )`;

/** The collections that only the server reads: none of them has a rule. */
export const serverCollections: Collection[] = [
  collection(
    'open_pulls',
    [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('repo_id'),
      text('repo_name'),
      number('pr'),
      text('title'),
      text('author'),
      text('head'),
      text('base'),
      bool('approved'),
      // When it got this head, and when its check run was last compared with GitHub's.
      date('since'),
      date('compared'),
      // When it was opened, its requested reviewers, and its lacks.
      date('opened'),
      json('reviewers'),
      json('lacks'),
      // When its lacks, or anything above that we read from GitHub, last changed.
      date('changed'),
    ],
    [
      'UNIQUE repo_id, pr',
      'org, approved, since, id',
      'compared, since DESC',
      'org, approved, changed, id',
      'head, pr',
      'approved, repo_id',
    ],
  ),
  // The heads that people got an e-mail about, so that nobody gets two. `leads`: it's the first in its e-mail.
  collection(
    'pull_notices',
    [
      relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      number('repo_id'),
      number('pr'),
      text('head'),
      bool('leads'),
      date('at'),
    ],
    ['UNIQUE `user`, repo_id, pr, head', '`user`, leads, at', 'at, id'],
  ),
  collection(
    'email_codes',
    [
      text('sig', { required: true }),
      relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      text('email', { max: 254 }),
      // GitHub's id of the organization that it enrols in; 0 for the address of notices.
      number('org_id'),
      number('ts'),
      text('nonce'),
      date('expires'),
    ],
    ['UNIQUE sig', 'expires'],
  ),
  // E-mails that still have to be sent. The address is looked up at that time.
  collection(
    'notices',
    [
      text('kind'),
      relation('user', 'pbc_gh_users', { cascadeDelete: true }),
      text('to', { max: 254 }),
      json('data'),
      number('tries'),
      date('due'),
      created,
    ],
    ['due', 'created'],
  ),
  collection(
    'approvals',
    [
      number('repo_id'),
      number('pr'),
      text('base'),
      text('head'),
      number('user_id'),
      text('login'),
      number('org_id'),
      number('installation_id'),
      text('repo_name'),
      select('method', [...authenticatorTypes]),
      bool('user_verified'),
      json('statement'),
      json('assertion'),
      text('public_key', { max: 5000 }),
      // The batch that the assertion signed, if it approved several commits at once.
      json('batch'),
      // When the pull request was opened; only for statistics.
      date('opened'),
      // The record id of the authenticator.
      text('authenticator'),
      text('aaguid'),
      bool('model_verified'),
      bool('from_outside'),
      mac,
      date('reported'),
      // Empty while the approval counts. A withdrawn one stays, and the same person may approve that head again.
      text('withdrawn'),
      // GitHub may still show a check that passed by this approval.
      bool('withdrawal_unreported'),
      created,
    ],
    [
      // A person whose approval doesn't count by a policy can approve again in a way that does.
      'UNIQUE repo_id, pr, base, head, user_id, withdrawn, authenticator, user_verified, from_outside',
      'repo_id, head',
      'reported',
      'withdrawal_unreported',
      'org_id, user_id, head, created, id',
      'org_id, head',
      'org_id, user_id, created, id',
      'org_id, created, id',
      // Has all that the statistics read, in their groups.
      'org_id, SUBSTR(created, 1, 10), repo_id, pr, created, opened',
    ],
  ),
  // Every policy that an organization ever had; the one with the highest number is in force.
  collection(
    'policies',
    [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('number'),
      json('policy'),
      text('by'),
      text('by_login'),
      // What the owner signed, with what; empty for a one-time code.
      json('statement', hidden),
      json('assertion', hidden),
      text('public_key', { ...hidden, max: 5000 }),
      mac,
      created,
    ],
    ['UNIQUE org, number'],
  ),
  // Removed authenticators that were lost or stolen; `done` once their approvals are withdrawn.
  collection(
    'lost_authenticators',
    [
      text('authenticator', { required: true }),
      select('method', [...authenticatorTypes]),
      number('user_id'),
      text('login'),
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      date('since'),
      text('by'),
      number('by_id'),
      text('by_login'),
      bool('done'),
      created,
    ],
    ['UNIQUE authenticator', 'done, created'],
  ),
  collection(
    'challenges',
    [
      text('challenge', { required: true }),
      select('purpose', [...challengePurposes]),
      relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      number('org_id'),
      json('subject'),
      mac,
      date('expires'),
    ],
    ['UNIQUE challenge', 'expires'],
  ),
  collection(
    'one_time_keys',
    [text('key', { required: true }), date('expires')],
    ['UNIQUE `key`', 'expires'],
  ),
  // The time steps whose codes were used.
  collection('totp_steps', [text('totp', { required: true }), number('step')], ['UNIQUE totp, step']),
  // Wrong codes in a row. Unique, so that of attempts at the same time each counts, in any number of processes.
  collection(
    'code_failures',
    [
      relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('attempt'),
      date('at'),
    ],
    ['UNIQUE user, org, attempt'],
  ),
  // One record for each person and organization with an authenticator, so that only one can be the first.
  collection('first_authenticators', [text('key', { required: true }), created], ['UNIQUE `key`']),
  // Who vouched for which authenticator, with the signature. They stay when it's removed.
  collection(
    'vouches',
    [
      text('credential', { required: true }),
      text('public_key_sha256'),
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('holder_id'),
      number('voucher_id'),
      text('voucher_login'),
      text('enrolled', { max: 20 }),
      json('statement'),
      json('assertion'),
      text('public_key', { max: 5000 }),
      mac,
      created,
    ],
    ['UNIQUE credential', 'org, created', 'org, public_key_sha256'],
  ),
  // Links that let a person's other device register. Only the hash of the secret is stored.
  collection(
    'device_links',
    [
      text('hash', { required: true }),
      relation('user', 'pbc_gh_users', { required: true, cascadeDelete: true }),
      number('org_id'),
      date('expires'),
      mac,
    ],
    ['UNIQUE hash', 'expires'],
  ),
  // The company address that each person enrolled with; `folded` is the same for every way to write one address.
  collection(
    'enrolment_addresses',
    [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('github_id'),
      text('address', { max: 254 }),
      text('folded', { required: true, max: 300 }),
      mac,
      created,
      updated,
    ],
    ['UNIQUE org, folded', 'UNIQUE org, github_id'],
  ),
  // The e-mails that reminded a member to register. Numbered, so that of several processes only one sends the next.
  collection(
    'member_reminders',
    [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('github_id'),
      number('number'),
      date('at'),
    ],
    ['UNIQUE org, github_id, number', 'at'],
  ),
  // The requirement of each repository's default branch when we last asked GitHub; `required` is empty until then.
  collection(
    'repository_checks',
    [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('repo_id'),
      text('name'),
      text('default_branch'),
      text('required'),
      date('checked'),
      date('due'),
    ],
    ['UNIQUE repo_id', 'org, name', 'org, required', 'due'],
  ),
  collection(
    'check_runs',
    [
      number('repo_id'),
      text('head'),
      number('attempt'),
      number('check_run_id'),
      text('phase'),
      text('fingerprint'),
      bool('may_be_green'),
      date('since'),
      created,
      updated,
    ],
    ['UNIQUE repo_id, head, attempt', 'phase, id'],
  ),
  collection(
    'webhook_deliveries',
    [text('guid', { required: true }), text('event'), number('installation_id'), created],
    ['UNIQUE guid', 'created', 'installation_id, created'],
  ),
  collection(
    'merge_groups',
    [
      number('repo_id'),
      text('head'),
      text('base_sha'),
      text('base'),
      number('pr'),
      bool('passed'),
      bool('failed'),
      text('pull_head'),
      number('installation_id'),
      text('repo_name'),
      text('since'),
      bool('finished'),
      mac,
      created,
      updated,
    ],
    ['UNIQUE repo_id, head', 'created', 'finished, since', 'since'],
  ),
  // Who pushed which head, because GitHub tells only the webhook.
  collection(
    'pushers',
    [
      number('repo_id'),
      number('pr'),
      text('head'),
      number('github_id'),
      text('login'),
      bool('is_machine'),
      mac,
      created,
    ],
    ['UNIQUE repo_id, pr, head, github_id', 'created, id'],
  ),
  // The trees of heads, so that a later head with the same files is known as such.
  collection(
    'commit_trees',
    [text('head', { required: true }), text('tree'), mac, created],
    ['UNIQUE head', 'created'],
  ),
  // The keys that sign checkpoints and receipts; the one with the highest number signs now.
  collection(
    'signing_keys',
    [
      number('number'),
      text('public_key', { required: true, max: 100 }),
      text('secret', { required: true, max: 500 }),
      mac,
      created,
    ],
    ['UNIQUE number'],
  ),
  // Where an organization's events go, and which were delivered. A hook that is set again is another record.
  collection(
    'hooks',
    [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      select('kind', [...hookKinds]),
      text('host', { max: 300 }),
      // Sealed.
      text('url', { ...hidden, max: 5000 }),
      text('secret', { ...hidden, max: 500 }),
      bool('stopped'),
      number('turn'),
      date('claimed'),
      number('position'),
      date('pulls_from'),
      json('delivered', { maxSize: 1_000_000 }),
      number('tries'),
      date('failing_since'),
      date('due'),
      date('last_at'),
      json('last_outcome'),
      mac,
      created,
    ],
    ['UNIQUE org, kind'],
  ),
  {
    id: 'pbc_hook_work',
    name: 'hook_work',
    type: 'view',
    fields: [],
    viewQuery: HOOK_WORK,
    listRule: null,
    viewRule: null,
  },
  // What each reconciliation found and repaired.
  collection('reconcile_reports', [json('report'), created], ['created']),
  collection('schema_versions', [number('version'), created], ['UNIQUE version']),
  ...serverViews,
];
