import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

type Package = { license?: string; dev?: boolean; optional?: boolean };
type Lock = { packages: Record<string, Package & Record<string, unknown>> };

const readJson = (name: string) => JSON.parse(readFileSync(name, 'utf8'));
const { packages } = readJson('package-lock.json') as Lock;

/** Licences that let us give the package on with our own. MPL-2.0 only asks for its own files' source. */
const OF_PRODUCT = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
];
const OF_TOOLS = [
  ...[...OF_PRODUCT, '(MIT OR CC0-1.0)', 'Apache-2.0 AND MIT', 'CC-BY-4.0'],
  'MIT OR Apache-2.0',
];

it('no package has a licence that nobody looked at', () => {
  const all = Object.entries(packages).filter(([path]) => path !== '');
  // The registry's answer about other platforms' packages was incomplete: they have the licence of their parent.
  const unknown = all.filter(([, { license, optional }]) => license === undefined && !optional);
  const others = all.filter(
    ([, { license, dev }]) => license && !(dev ? OF_TOOLS : OF_PRODUCT).includes(license),
  );
  expect(all.length).toBeGreaterThan(300);
  expect([unknown, others].flat().map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

it('package-lock.json has the dependencies of package.json, each in an exact version', () => {
  const manifest = readJson('package.json');
  for (const kind of ['dependencies', 'devDependencies', 'engines'])
    expect([kind, packages['']?.[kind]]).toEqual([kind, manifest[kind]]);
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies }) as string[];
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
