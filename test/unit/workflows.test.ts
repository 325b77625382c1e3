import { readdirSync, readFileSync } from 'node:fs';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = { permissions?: object; 'timeout-minutes'?: number; steps: Step[] };
type Workflow = { permissions?: object; jobs: Record<string, Job> };

const FOLDER = '.github/workflows';
const workflows = readdirSync(FOLDER).map(
  (name) => [name, readFileSync(`${FOLDER}/${name}`, 'utf8')] as const,
);

/** Errors that GitHub's own parser finds in keys, values and expressions. */
async function errorsOf(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  if (value) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

describe('the workflows', () => {
  it.each(workflows)('are valid to GitHub: %s', async (name, content) => {
    expect(await errorsOf(name, content)).toEqual([]);
    expect(await errorsOf(name, content.replace('${{ github.', '${{ githb.'))).not.toEqual([]);
    expect(await errorsOf(name, content.replace('timeout-minutes', 'timeout-minute'))).not.toEqual([]);
  });

  it.each(workflows)('give each job what it needs, and run what was reviewed: %s', (_name, content) => {
    const { permissions, jobs } = parse(content) as Workflow;
    expect(permissions).toEqual({});
    const pins = content.match(/uses: .*/g) ?? [];
    expect(pins.filter((pin) => !/^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(pin))).toEqual([]);
    for (const [id, job] of Object.entries(jobs)) {
      expect([id, job.permissions, job['timeout-minutes']]).toEqual([
        id,
        expect.anything(),
        expect.any(Number),
      ]);
      // An expression in a script is code, and anyone who names a branch could write it.
      expect(job.steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
      // Other people's code runs where nothing may be written.
      const builds = job.steps.some(({ run }) => /npm|\.ci\/run/.test(run ?? ''));
      if (builds) expect([id, job.permissions]).toEqual([id, { contents: 'read' }]);
      for (const step of job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')))
        expect(step.with?.['persist-credentials']).toBe(false);
    }
  });
});

it('a release has the package that the tests install', () => {
  expect(readFileSync(`${FOLDER}/release.yml`, 'utf8')).toContain('npm run --silent package -- --to release');
});

it('the soak runs each week', () => {
  const { on, jobs } = parse(readFileSync(`${FOLDER}/soak.yml`, 'utf8'));
  expect([on.schedule, jobs.soak.steps.at(-1).run]).toEqual([
    [{ cron: expect.stringMatching(/ \* \* [0-6]$/) }],
    'npm run test:soak',
  ]);
});
