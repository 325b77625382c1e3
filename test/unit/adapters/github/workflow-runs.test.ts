import { describe, expect, it } from '@jest/globals';
import { createWorkflowRuns } from '../../../../src/adapters/github/workflow-runs.ts';
import { codeOf } from '../../../support/code-of.ts';
import { aRun, REPO } from '../../../support/fakes.ts';
import { appAt } from './app-at.ts';

const NOTHING = 'No pending deployment requests to approve or reject';
const AGAIN = 'Deployment protection rule has already been reviewed';

describe('GitHub’s answer to a review', () => {
  const answered = (status: number, answer: object, state?: 'approved') => {
    const app = appAt(async () => Response.json(answer, { status }));
    const review = { run: 77, environment: 'release', comment: 'Fine', ...(state && { state }) };
    const written = createWorkflowRuns(app, 1).review(REPO, review);
    return written.catch(() => codeOf(written));
  };

  it.each<[outcome: string, status: number, answer: object, ofReport?: string]>([
    ['gone', 422, { message: NOTHING }],
    ['gone', 422, { message: 'Validation Failed', errors: NOTHING }],
    ['reviewed', 422, { message: 'Validation Failed', errors: [{ message: AGAIN }] }],
    ['githubUnavailable', 422, { message: 'There was a problem approving one of the gates' }, 'refused'],
    ['permissionMissing', 403, { message: 'Resource not accessible by integration' }],
    ['installationSuspended', 403, { message: 'This installation has been suspended' }],
    ['githubUnavailable', 404, { message: 'Not Found' }],
  ])('is %s for %d %j', async (outcome, status, answer, ofReport = outcome) => {
    expect(await answered(status, answer, 'approved')).toBe(outcome);
    expect(await answered(status, answer)).toBe(ofReport);
  });
});

it('sends a review once: by the time of a second one, another attempt can wait', async () => {
  const sent: string[] = [];
  const app = appAt(async (url) => {
    sent.push(new URL(url).pathname);
    return new Response(null, { status: sent.length === 1 ? 502 : 204 });
  });
  const approval = { run: 7, environment: 'release', comment: 'Approved', state: 'approved' } as const;
  await expect(createWorkflowRuns(app, 1).review(REPO, approval)).rejects.toThrow(
    expect.objectContaining({ code: 'githubUnavailable' }),
  );
  expect(sent).toEqual(['/repos/octo-org/hello/actions/runs/7/deployment_protection_rule']);
});

it.each([
  ['2026-05-04T12:00:00Z', true],
  ['2026-05-04T11:59:59Z', false],
])(
  'takes no job of an earlier attempt for one of this attempt: created at %s',
  async (created_at, isOfThis) => {
    const log_url = 'https://github.com/octo-org/hello/actions/runs/77/job/1';
    const app = appAt(async (url) =>
      Response.json(
        url.includes('/statuses') ? [{ state: 'in_progress', log_url }] : [{ id: 1, sha: 'a', created_at }],
      ),
    );
    const run = aRun({ startedAt: new Date('2026-05-04T12:00:00Z') });
    expect(await createWorkflowRuns(app, 1).hasStarted(REPO, run, 'release')).toBe(isOfThis);
  },
);
