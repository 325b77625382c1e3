import type { CheckRequirement, RepositoryEnvironments } from '../../../contract/organization-health.ts';
import type { Bypass, ProtectionChange } from '../../../contract/protection.ts';
import type { GateState } from '../../../protection/environments.ts';
import type { Noted, RepositoryProtection } from '../../../protection/ports.ts';
import { define } from '../schema/definition.ts';
import { bool, date, json, number, relation, text } from '../schema/fields.ts';

export const protection = {
  /** The requirement of each repository's default branch when we last asked GitHub; `required` is empty until then. */
  repository_checks: define({
    covered: null,
    fields: [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('repo_id'),
      text('name'),
      text('default_branch'),
      text<'required', CheckRequirement | ''>('required'),
      json<'bypass', Bypass | null>('bypass'),
      text('bypass_state'),
      json<'environments', RepositoryEnvironments | null>('environments'),
      // Whether OTP Guard's rule is on in one of them; empty if the account didn't grant what it takes to ask.
      text<'gate', GateState | ''>('gate'),
      // The last known protection, for comparison with GitHub's next answer, and who did something since then.
      json<'protection', RepositoryProtection | null>('protection'),
      json<'noted', (Omit<Noted, 'at'> & { at: string }) | null>('noted'),
      date('checked'),
      date('due'),
      // True if the App has no access to it now.
      bool('gone'),
    ],
    indexes: [
      'UNIQUE repo_id',
      'org, name',
      'org, required, bypass_state, gone',
      'org, gate',
      'gate',
      'due',
      'org, due',
    ],
    expires: 'never',
    people: 'as-github',
    restored: 'from-backup',
  }),

  /**
   * Weakenings around the check, with the number and the hash of its log entry. `by` is who did it, as far as
   * GitHub said, and `person` who became an owner. The statement and its assertion are of who acknowledged it.
   */
  weakenings: define({
    // The change is in the log's tree, which `leaf_hash` commits to.
    covered: [
      relation('org', 'pbc_organizations', { required: true, cascadeDelete: true }),
      number('entry'),
      text('leaf_hash'),
      number('repo_id'),
      json<'change', ProtectionChange>('change'),
      text('about'),
      number('person_id'),
      number('by_id'),
      date('acknowledged'),
      number('acknowledged_by'),
      json('statement'),
      json('assertion'),
      text('public_key', { max: 5000 }),
    ],
    coveredIds: ['org_github_id'],
    fields: [text('person'), text('by'), date('at'), date('undone'), text('acknowledged_login')],
    indexes: ['UNIQUE org, entry', 'org, acknowledged, entry', 'org, repo_id, undone', 'at'],
    changesOnce: ['by_id', 'acknowledged', 'acknowledged_by', 'statement', 'assertion', 'public_key'],
    expires: 'never',
    people: [
      { filter: 'by_id = {:githubId}', named: { id: 'by_id', login: 'by' }, clear: { by_id: 0, by: '' } },
      {
        filter: 'person_id = {:githubId}',
        named: { id: 'person_id', login: 'person' },
        clear: { person_id: 0, person: '', about: '' },
      },
      {
        filter: 'acknowledged_by = {:githubId}',
        named: { id: 'acknowledged_by', login: 'acknowledged_login' },
        clear: {
          acknowledged_by: 0,
          acknowledged_login: '',
          statement: null,
          assertion: null,
          public_key: '',
        },
      },
    ],
    restored: 'from-backup',
  }),
};
