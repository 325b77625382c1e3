import type { Deployment } from '../../../deployments/ports.ts';
import { DAY_MS, define } from '../schema/definition.ts';
import { bool, created, json, number, text } from '../schema/fields.ts';

export const deployments = {
  /** What GitHub asked the App to protect: one record for each environment of a run's attempt. */
  deployments: define({
    covered: [
      number('repo_id'),
      number('run'),
      number('attempt'),
      text('environment'),
      number('org_id'),
      text('head'),
      text('ref'),
      text('event'),
      text('workflow'),
    ],
    fields: [
      number('installation_id'),
      text('repo_name'),
      // Decides nothing: what passes follows from the decisions.
      text('state'),
      text('since'),
      text('due'),
      text('synced'),
      text('shown', { max: 1_100 }),
      number('reports'),
      bool('reminded'),
      json<'lacks', Deployment['lacks'] | null>('lacks'),
      json<'denied', Deployment['denied']>('denied'),
      // The last change of these two.
      text('changed'),
      created,
    ],
    indexes: [
      'UNIQUE repo_id, run, attempt, environment',
      'state, org_id, since',
      'due, synced WHERE due > synced',
      'since, repo_id',
      'created',
    ],
    // GitHub lets a job fail that waits for 30 days.
    expires: { time: 'created', keptMs: 90 * DAY_MS },
    people: 'nobody',
    restored: 'from-backup',
  }),
};
