import { parse } from 'yaml';

export const RELEASE_PATH = '.github/workflows/release.yml';

/** What `hello` has: a build, two registries at the same moment, and a second wave. */
export const RELEASE_FILE = `name: Release
on: workflow_dispatch
permissions:
  contents: read
jobs:
  build:
    name: Build
    runs-on: ubuntu-latest
    steps:
      - run: make package
  publish:
    name: Publish to \${{ matrix.registry }}
    needs: build
    runs-on: ubuntu-latest
    environment: release
    permissions:
      id-token: write
    strategy:
      matrix:
        registry: [npm, pypi]
    steps:
      - run: make publish-to-\${{ matrix.registry }}
  announce:
    name: Announce
    needs: publish
    runs-on: ubuntu-latest
    environment: release
    steps:
      - run: make announcement
`;

/** One job of a workflow; a matrix makes several with one key. */
export type JobPlan = {
  key: string;
  name: string;
  /** The keys of the jobs that must succeed before. */
  needs: string[];
  environment: string | null;
  /** False for `environment: { deployment: false }`, which creates no deployment. */
  hasDeployment: boolean;
};

export type Workflow = { name: string; isDispatched: boolean; jobs: JobPlan[] };

type MatrixValues = Record<string, string>;
type JobSource = {
  name?: string;
  needs?: string | string[];
  environment?: string | { name?: string; deployment?: boolean };
  strategy?: { matrix?: Record<string, unknown> };
};

const toList = (value: unknown): unknown[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
};

/** Each combination of the matrix; one without values if there is no matrix. */
const combine = (matrix: Record<string, unknown>): MatrixValues[] =>
  Object.entries(matrix).reduce<MatrixValues[]>(
    (all, [name, values]) =>
      all.flatMap((one) => toList(values).map((value) => ({ ...one, [name]: String(value) }))),
    [{}],
  );

const fillIn = (text: string, values: MatrixValues) =>
  text.replace(/\$\{\{\s*matrix\.([\w-]+)\s*\}\}/g, (_all, name: string) => values[name] ?? '');

function plansOf(key: string, source: JobSource): JobPlan[] {
  const { name, needs, environment, strategy } = source;
  const target = typeof environment === 'string' ? { name: environment } : environment;
  return combine(strategy?.matrix ?? {}).map((values) => {
    const listed = Object.values(values).join(', ');
    return {
      key,
      name: name ? fillIn(name, values) : listed ? `${key} (${listed})` : key,
      needs: toList(needs).map(String),
      environment: target?.name ? fillIn(target.name, values) : null,
      hasDeployment: target?.deployment !== false,
    };
  });
}

const triggersOf = (on: unknown) =>
  typeof on === 'object' && on !== null && !Array.isArray(on) ? Object.keys(on) : toList(on);

/** Reads a workflow file, as far as the local GitHub runs it: no conditions, and no steps. Undefined if it isn't one. */
export function parseWorkflow(path: string, text: string): Workflow | undefined {
  try {
    const { name, on, jobs } = parse(text) as {
      name?: string;
      on?: unknown;
      jobs: Record<string, JobSource>;
    };
    return {
      name: name ?? path,
      isDispatched: triggersOf(on).includes('workflow_dispatch'),
      jobs: Object.entries(jobs).flatMap(([key, source]) => plansOf(key, source)),
    };
  } catch {
    return undefined;
  }
}
