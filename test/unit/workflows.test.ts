import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { afterAll, describe, expect, it } from '@jest/globals';
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

describe('what a job runs', () => {
  const jobs = workflows.flatMap(([name, content]) =>
    Object.entries((parse(content) as Workflow).jobs).map(([id, { steps }]) => ({
      job: `${name}: ${id}`,
      commands: steps.flatMap(({ run }) => run ?? []),
    })),
  );
  const script = readFileSync('scripts/test.js', 'utf8');
  /** What GitHub's Ubuntu has without an installation. */
  const THERE = ['git', 'systemd'];
  const needed = [...script.matchAll(/require(?:Program|Module)\('[^']+', '([^']+)'/g)]
    .map(([, name = '']) => name)
    .filter((name) => !THERE.includes(name));
  const ofImage = [...(/const programs = \[(.*?)\];/s.exec(script)?.[1] ?? '').matchAll(/'(\w+)'\]/g)].map(
    ([, name = '']) => name,
  );
  const installs = (commands: string[]) =>
    commands.find((one) => one.includes('apt-get install'))?.split(/\s+/) ?? [];

  it('finds the programs that it needs, which only root could install: all tests', () => {
    const all = jobs.filter(({ commands }) =>
      commands.some((one) => /^(\.ci\/run|npm run test:soak)$/.test(one)),
    );
    expect([all.length, needed.length]).toEqual([3, 4]);
    for (const { job, commands } of all)
      expect([job, installs(commands)]).toEqual([job, expect.arrayContaining(needed)]);
  });

  it('finds them in the container for development, too', () => {
    const dockerfile = readFileSync('.devcontainer/Dockerfile', 'utf8');
    expect(dockerfile.split(/\s+/)).toEqual(
      expect.arrayContaining([...needed, ...THERE, 'chromium-headless-shell']),
    );
    expect(dockerfile).toMatch(/^ARG BASE=.*\/node:24-/m);
  });

  it('is root where it builds the image, and a merge and a release wait for that', () => {
    const all = jobs.filter(({ commands }) => commands.some((one) => one.includes('test:image')));
    expect([all.map(({ job }) => job), ofImage]).toEqual([
      ['ci.yml: image', 'release.yml: test-image'],
      ['buildah', 'debootstrap'],
    ]);
    for (const { job, commands } of all) {
      expect([job, installs(commands)]).toEqual([job, expect.arrayContaining(ofImage)]);
      expect(commands.at(-1)).toMatch(/^sudo env "PATH=\$PATH" CI=true npm run test:image$/);
    }
    expect(parse(readFileSync(`${FOLDER}/release.yml`, 'utf8')).jobs.image.needs).toContain('test-image');
    expect(readFileSync('.ci/run', 'utf8')).toContain('kinds=(test test:e2e)');
    expect(readFileSync('.ci/run', 'utf8')).toContain('if [[ $(id -u) == 0 ]]; then kinds+=(test:image)');
  });

  it('is tried with each Node that runs it, and on Macs and Arm', () => {
    const { check, platforms } = parse(readFileSync(`${FOLDER}/ci.yml`, 'utf8')).jobs;
    expect(check.strategy.matrix.node).toEqual([20.19, 22, 24]);
    expect(platforms.strategy.matrix.os).toEqual([
      expect.stringMatching(/^macos/),
      expect.stringMatching(/arm$/),
    ]);
    expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^ARG BASE=.*\/node:24-/m);
  });
});

it('a release is made as each merge tries it, and only for the version that its tag names', () => {
  expect(readFileSync(`${FOLDER}/release.yml`, 'utf8')).toContain(
    'run: node scripts/release-check.js --to .',
  );
  expect(readFileSync('.ci/run', 'utf8')).toContain('node scripts/release-check.js || failed+=');
  const env = { ...process.env, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v999.0.0' };
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release-check.js'], {
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^The tag v999\.0\.0 isn't v\d/)]);
});

describe('a pull request', () => {
  const { steps } = parse(readFileSync(`${FOLDER}/ci.yml`, 'utf8')).jobs.changelog;
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-changelog-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const bash = (script: string) => {
    const who = ['-c', 'user.name=mona', '-c', 'user.email=mona@example.org', '-c', 'commit.gpgsign=false'];
    const git = `git() { command git ${who.join(' ')} "$@"; }`;
    return spawnSync('bash', ['-eo', 'pipefail', '-c', `${git}\n${script}`], {
      cwd: folder,
      encoding: 'utf8',
    });
  };

  it.each([
    ['changes the program', 'src/main.ts', 'fix: it', 1],
    ['says so in the changelog', 'src/main.ts CHANGELOG.md', 'fix: it', 0],
    ['says that nobody notices it', 'src/main.ts', 'refactor: it\n\nChangelog: none', 0],
    ['says so where it is no trailer', 'src/main.ts', 'fix: it\n\nChangelog: none\n\nThe end.', 1],
    ['changes no program', 'test/one.ts', 'test: it', 0],
  ])('that %s: %s', (_what, files, message, status) => {
    const made = bash(`
      rm -rf .git src test CHANGELOG.md && git init --quiet --initial-branch=main
      git commit --quiet --allow-empty --message=base && git checkout --quiet -b change
      mkdir src test && touch ${files} && git add . && git commit --quiet --message='${message}'
      git checkout --quiet main && git commit --quiet --allow-empty --message='docs: other'
      git merge --quiet --no-ff change`);
    expect([made.status, made.stderr]).toEqual([0, '']);
    const { stdout, ...checked } = bash(steps.at(-1).run);
    expect([checked.status, stdout]).toEqual([status, status ? expect.stringContaining('Add a line') : '']);
  });
});

it('the soak runs each week', () => {
  const { on, jobs } = parse(readFileSync(`${FOLDER}/soak.yml`, 'utf8'));
  expect([on.schedule, jobs.soak.steps.at(-1).run]).toEqual([
    [{ cron: expect.stringMatching(/ \* \* [0-6]$/) }],
    'npm run test:soak',
  ]);
});
