import { generateKeyPairSync } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalGitHub, startLocalGitHub } from '../../demo/local-github.ts';
import { type Config, type GitHubConfig, readConfig } from '../../src/config.ts';
import { openEncrypted } from '../../src/pocketbase/backups/age-file.ts';
import { backupIdentities } from '../../src/pocketbase/backups/backup-identity.ts';
import { unpack } from '../../src/pocketbase/backups/clean-store.ts';
import { openBackup } from '../../src/pocketbase/backups/open-backup.ts';
import { createTemporaryStore } from '../../src/pocketbase/backups/temporary-store.ts';
import { createStoreClient } from '../../src/pocketbase/client.ts';
import { findRunningStore } from '../../src/pocketbase/process/process-marker.ts';
import { markRestore } from '../../src/pocketbase/process/restore-marker.ts';
import { startEmbeddedStore } from '../../src/pocketbase/process/start-embedded-store.ts';
import {
  findOrReplaceStore,
  findOrStartStore,
  startStore,
} from '../../src/pocketbase/process/start-store.ts';
import { upsertSuperuser } from '../../src/pocketbase/process/superuser.ts';
import { createOrganizations } from '../../src/pocketbase/records/organizations.ts';
import { migrate } from '../../src/pocketbase/schema/migrate.ts';
import { secretKeys } from '../../src/secret-key.ts';
import { DamagedStore, StartError } from '../../src/start-error.ts';
import { SoftwareAuthenticator } from '../support/authenticator.ts';
import { CodeApp, listOf, registerCodes } from '../support/authenticators.ts';
import { anInstallation } from '../support/fakes.ts';
import {
  approvalOptions,
  clientOf,
  freePort,
  type Pull,
  registerPasskey,
  type Session,
  type TestProduct,
  targetOf,
  until,
} from '../support/product.ts';
import { SECRET_KEY, silent, startEmptyStore, superuserOf } from '../support/product-over-store.ts';
import { type Env, processesOf, Running } from '../support/running.ts';

/** Each of these restores once or twice, which takes ten seconds: they're a part of the long form. */
const longIt = process.env.SOAK ? it : it.skip;

const COMMAND_MS = 120_000;
const PATIENCE_MS = 60_000;
const DAMAGE = 'this is no database '.repeat(500);

const scratches: string[] = [];
const scratch = () => {
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-commands-'));
  scratches.push(folder);
  return folder;
};
const running: Running[] = [];
const run = (env: Env, options: { script?: string; args?: string[] } = {}) => {
  const started = new Running(env, options);
  running.push(started);
  return started;
};

type Outcome = {
  code: number | null;
  answer: Record<string, unknown> | null;
  said: string[];
  stderr: string;
};

/** Runs `dist/<script>.js` to its end; `answer` is its line of JSON. */
async function command(script: string, env: Env, ...args: string[]): Promise<Outcome> {
  const one = run(env, { script, args });
  await until(`${script} to end`, async () => one.code !== undefined, COMMAND_MS);
  expect(one.stderr).not.toMatch(/^\s+at /m);
  const lines = one.stdout.split('\n').filter((line) => line !== '');
  expect(lines.length).toBeLessThanOrEqual(1);
  const [line] = lines;
  return {
    code: one.code ?? null,
    answer: line === undefined ? null : JSON.parse(line),
    said: one.said,
    stderr: one.stderr,
  };
}

const backUp = (env: Env, ...args: string[]) => command('cli/backup', env, ...args);
const restore = (env: Env, ...args: string[]) => command('cli/restore', env, ...args);
const sweep = (env: Env) => command('cli/sweep', env);

type World = TestProduct & { env: Env & { DATA_DIR: string } };

/** What the product was when somebody ended it: mona has a key, and there is a backup. */
let github: LocalGitHub;
let client: ReturnType<typeof clientOf>;
let ended: World;
let backup: string;
let key: SoftwareAuthenticator;

beforeAll(async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  github = await startLocalGitHub({ port: 0, publicUrl: origin });
  client = clientOf({ origin, github });
  const env = { ...github.env, PUBLIC_URL: origin, PORT: String(port), HOST: 'localhost' };
  ended = worldOver(scratch(), env);
  backup = join(scratch(), 'state.zip.age');
  const product = await start(ended);
  key = new SoftwareAuthenticator(origin);
  await registerPasskey(ended, await ended.signIn('mona'), undefined, key);
  await callBackUp(ended, backup);
  await stop(ended, product);
}, 120_000);
afterAll(async () => {
  for (const one of running.splice(0)) await one.clear();
  await github?.close();
  for (const folder of scratches) rmSync(folder, { recursive: true, force: true });
}, 60_000);

function worldOver(dataDir: string, env: Env): World {
  return {
    ...client,
    env: { ...env, DATA_DIR: dataDir },
    dataDir,
    github,
    log: [],
    stop: async () => undefined,
  };
}

/** A world of its own over a copy of the folder of the product that was ended. */
function copyOfEnded(): World {
  const dataDir = scratch();
  cpSync(ended.dataDir, dataDir, { recursive: true });
  return worldOver(dataDir, ended.env);
}

async function callBackUp(world: World, file: string): Promise<void> {
  const { code, answer, said } = await backUp(world.env, file);
  expect({ code, said }).toEqual({ code: 0, said: [] });
  expect(answer).toEqual({ backedUp: true, file, bytes: statSync(file).size });
}

async function start(world: World): Promise<Running> {
  const product = run(world.env);
  await product.ready();
  return product;
}

async function stop(world: World, product: Running): Promise<void> {
  product.child.kill('SIGTERM');
  expect(await product.ended()).toBe(0);
  await until('its record store to end', async () => processesOf(world.dataDir).length === 0, PATIENCE_MS);
}

const configOf = (world: World) => readConfig(world.env);
const storesOf = ({ dataDir }: World) => processesOf(`--dir=${dataDir}`);
const noteOf = ({ dataDir }: World) => join(dataDir, 'running.json');
const databaseOf = ({ dataDir }: World) => join(dataDir, 'pocketbase', 'data', 'data.db');
const asideOf = ({ dataDir }: World) => readdirSync(dataDir).filter((name) => name.startsWith('pocketbase-'));

function damage(world: World): void {
  for (const name of readdirSync(join(world.dataDir, 'pocketbase', 'data')))
    if (name.startsWith('data.db')) rmSync(join(world.dataDir, 'pocketbase', 'data', name));
  writeFileSync(databaseOf(world), DAMAGE);
}

/** The newest run on a head, once it is in this state. */
const shows = (world: World, pull: Pull, conclusion: string | null) =>
  until(
    `a run that is ${conclusion ?? 'waiting'}`,
    async () => {
      const runs = await world.runs(pull.head.sha);
      const newest = runs.toSorted((one, other) => other.id - one.id)[0];
      return newest?.conclusion === conclusion && newest;
    },
    PATIENCE_MS,
  );

async function approve(world: World, session: Session, pull: Pull) {
  const target = targetOf(world, pull);
  const { options } = await approvalOptions(world, session, target);
  return world.call(
    '/github-check-webauthn',
    { params: target, authResponse: key.get(options), accessToken: session.accessToken },
    session,
  );
}

const approveByCode = (world: World, session: Session, otp: string, pull: Pull) =>
  world.call(
    '/github-totp-check',
    { ...targetOf(world, pull), otp, accessToken: session.accessToken },
    session,
  );

async function superusersOf({ dataDir, origin }: World): Promise<object[]> {
  const store = await startEmbeddedStore({ dataDir, publicUrl: origin, log: silent });
  try {
    return await (await superuserOf(store)).collection('_superusers').getFullList();
  } finally {
    await store.stop();
  }
}

/** A data folder that somebody unpacked a backup into, who also has its key. */
async function unpacked(file: string, world: World): Promise<string> {
  const { dataDir, backups } = await createTemporaryStore(scratch());
  const plain = await openEncrypted(file, await backupIdentities(undefined, secretKeys(configOf(world))));
  writeFileSync(join(backups, 'read.zip'), await buffer(plain));
  await unpack(dataDir, 'read.zip');
  rmSync(backups, { recursive: true });
  return dataDir;
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));

/** A session of mona's, made by a record store over this data. */
async function mintedFrom(dataDir: string): Promise<string> {
  const store = await startEmbeddedStore({ dataDir, publicUrl: ended.origin, log: silent });
  try {
    const records = await superuserOf(store);
    const { id } = await records.collection('gh_users').getFirstListItem('username = "mona"');
    return (await records.collection('gh_users').impersonate(id, 3600)).authStore.token;
  } finally {
    await store.stop();
  }
}

const LEFT = 'otp_guard_20260101000000000.zip';
const backupFolderOf = ({ dataDir }: World) => join(dataDir, 'pocketbase', 'data', 'backups');
const backupsIn = (world: World) => {
  const kept = backupFolderOf(world);
  return existsSync(kept) ? readdirSync(kept).filter((name) => name.endsWith('.zip')) : [];
};

/** The folders in which backups are opened. */
const leftIn = ({ dataDir }: World) => readdirSync(dataDir).filter((name) => /opening/.test(name));

const written = (content: string | Buffer) => {
  const file = join(scratch(), 'some.zip');
  writeFileSync(file, content, 'latin1');
  return file;
};

describe('a command', () => {
  it('says in one line which setting is wrong', async () => {
    const { code, answer, said } = await sweep({ ...ended.env, PORT: 'x' });
    expect([code, answer]).toEqual([1, null]);
    expect(said).toEqual([expect.stringMatching(/^PORT: [^\n]+\. Example: PORT=/)]);
  }, 60_000);

  it('says in one line that there is no App yet', async () => {
    const { code, answer, said } = await backUp({ DATA_DIR: scratch() }, join(scratch(), 'x.zip'));
    expect([code, answer, said]).toEqual([
      1,
      null,
      ['There is no GitHub App yet. Run npm start to register one.'],
    ]);
  }, 60_000);
});

/** Opens a file as a restore does, and returns what it warned of. */
async function open(path: string, world = ended): Promise<string[]> {
  const warned: string[] = [];
  const { dataDir: folder } = world;
  const readIdentities = () => backupIdentities(undefined, secretKeys(configOf(world)));
  const onPlain = () => void warned.push('not encrypted');
  const { remove } = await openBackup({ path, readIdentities, folder, name: 'opened.zip', onPlain });
  await remove();
  return warned;
}

const backupBytes = () => readFileSync(backup);
const changedAt = (position: number) => {
  const bytes = backupBytes();
  bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position);
  return written(bytes);
};
/** The backup without its encryption, as earlier versions wrote it. */
const plainBackup = async () =>
  written(
    await buffer(await openEncrypted(backup, await backupIdentities(undefined, secretKeys(configOf(ended))))),
  );

describe('the file that a restore is given', () => {
  it.each<[string, () => string | Promise<string>, RegExp]>([
    ['is not there', () => join(scratch(), 'nowhere.zip'), /nowhere\.zip cannot be read\.$/],
    ['is empty', () => written(''), /some\.zip is not a backup\.$/],
    ['is garbage', () => written('this is no backup '.repeat(99)), /is not a backup\.$/],
    ['is an archive of something else', () => written(archiveOf({ 'notes.txt': 'x' })), /is not a backup\.$/],
    [
      'is the first half of an archive',
      async () => written(readFileSync(await plainBackup()).subarray(0, 20_000)),
      /is not a backup\.$/,
    ],
    ['has lost its last byte', () => written(backupBytes().subarray(0, -1)), /is damaged/],
    ['is the first half of one', () => written(backupBytes().subarray(0, 20_000)), /is damaged/],
    ['was changed at its end', () => changedAt(statSync(backup).size - 1), /is damaged/],
    ['was changed in its header', () => changedAt(130), /is damaged|encrypted for another key/],
    ['is an archive with a damaged database', () => written(archiveOf({ 'data.db': DAMAGE })), /is damaged/],
  ])('is refused if it %s', async (_what, file, says) => {
    const refused = open(await file());
    await expect(refused).rejects.toThrow(says);
    await expect(refused).rejects.toBeInstanceOf(StartError);
    expect(leftIn(ended)).toEqual([]);
  });

  it('is refused if it is a folder', async () => {
    await expect(open(scratch())).rejects.toThrow(/EISDIR/);
  });

  it('is refused if it is encrypted for another key', async () => {
    await expect(open(backup, worldOver(scratch(), ended.env))).rejects.toThrow(
      /is encrypted for another key\. Put the SECRET_KEY that it was made with behind/,
    );
  });

  it('is taken if it is a backup, with a warning if it is not encrypted', async () => {
    expect(await open(backup)).toEqual([]);
    expect(await open(await plainBackup())).toEqual(['not encrypted']);
  });
});

describe('beside a running product', () => {
  const app = new CodeApp();
  let world: World;
  let product: Running;
  let mona: Session;

  beforeAll(async () => {
    world = copyOfEnded();
    product = await start(world);
    mona = await world.signIn('mona');
  }, 120_000);
  afterAll(async () => {
    await product?.clear();
  }, 60_000);

  it('the address of its store is readable to its owner alone', () => {
    expect(statSync(noteOf(world)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(noteOf(world), 'utf8'))).toMatchObject({ pid: product.child.pid });
  });

  it('a backup is readable to its owner alone, leaves no copy in the store and replaces no file', async () => {
    const folder = join(scratch(), 'made');
    const file = join(folder, 'first.zip.age');
    await callBackUp(world, file);
    expect(statSync(file).size).toBeGreaterThan(10_000);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['first.zip.age']);
    expect(backupsIn(world)).toEqual([]);

    const before = readFileSync(file);
    const { code, answer, said } = await backUp(world.env, file);
    expect([code, answer, said]).toEqual([1, null, [`${file} already exists. Choose another file.`]]);
    expect(readFileSync(file).equals(before)).toBe(true);
  }, 60_000);

  it('a backup holds no secret of the running product, and no session made with it is taken', async () => {
    const file = join(scratch(), 'read.zip.age');
    // An earlier backup whose process was killed in the middle.
    const left = [join(world.dataDir, 'otp-guard-opening-4194303-1-x'), join(backupFolderOf(world), LEFT)];
    for (const path of left) cpSync(noteOf(world), join(path), { recursive: true });
    await callBackUp(world, file);
    expect([backupsIn(world), leftIn(world)]).toEqual([[], []]);

    const live = readFileSync(databaseOf(world), 'latin1');
    const tokenSecrets = [...live.matchAll(/Token":\{[^}]*"secret":"([^"]+)"/g)].map(
      ([, secret = '']) => secret,
    );
    const secrets = [
      ...tokenSecrets,
      String(world.env.GITHUB_CLIENT_SECRET),
      JSON.parse(readFileSync(noteOf(world), 'utf8')).password,
      ...secretKeys(configOf(world)),
    ];
    expect(tokenSecrets.length).toBeGreaterThanOrEqual(10);
    const reader = await unpacked(file, world);
    for (const bytes of [readFileSync(file), ...filesIn(join(reader, 'pocketbase', 'data'))])
      expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([]);

    // A copy of the data folder shows that the attack works without what a backup does.
    for (const [dataDir, status] of [
      [copyOfEnded().dataDir, 400],
      [reader, 401],
    ] as const) {
      const token = await mintedFrom(dataDir);
      expect((await world.call('/github-check-webauthn-params', {}, { ...mona, token })).status).toBe(status);
    }
  }, 60_000);

  it('a sweep looks at every open pull request now, and leaves the store running', async () => {
    const pull = await world.pendingPull();
    const { code, answer, said } = await sweep(world.env);
    expect({ code, said }).toEqual({ code: 0, said: [] });
    expect(answer).toMatchObject({ swept: true, repaired: expect.any(Array), faults: [] });
    expect(await world.runs(pull.head.sha)).toHaveLength(1);
    expect(existsSync(noteOf(world))).toBe(true);
    expect(storesOf(world)).not.toEqual([]);
  }, 60_000);

  it('a restore of an archive whose store is damaged changes nothing', async () => {
    const { code, answer, said } = await restore(world.env, written(archiveOf({ 'data.db': DAMAGE })));
    expect([code, answer]).toEqual([1, null]);
    expect(said).toEqual([
      expect.stringMatching(/some\.zip is damaged: the record store does not start from it\./),
    ]);
    expect(await listOf(world, mona, 'webauthn')).toHaveLength(1);
    expect((await world.call('/github-check-webauthn-params', {}, mona)).status).toBe(400);
    expect(asideOf(world)).toEqual([]);
  }, 60_000);

  it('a restore of an older state takes back what came after it, and ends what was under way', async () => {
    const octocat = await world.signIn('octocat');
    const registered = await registerCodes(world, octocat, { app, code: app.codeAt(Date.now() - 30_000) });
    expect(registered.status).toBe(200);
    const waiting = await world.pendingPull('Waits over the restore');
    const byKey = await world.pendingPull('Approved by a key after the backup');
    const byCode = await world.pendingPull('Approved by a code after the backup');
    // A challenge that was given out before the copy was made.
    const { options } = await approvalOptions(world, mona, targetOf(world, waiting));
    const signed = key.get(options);
    const file = join(scratch(), 'older.zip.age');
    await callBackUp(world, file);

    expect((await approve(world, mona, byKey)).status).toBe(200);
    const byNow = await approveByCode(world, octocat, app.codeAt(Date.now()), byCode);
    expect(byNow.status).toBe(200);
    await shows(world, byKey, 'success');
    await shows(world, byCode, 'success');
    const restored = await restore(world.env, file);
    expect(restored).toMatchObject({ code: 0, said: [], answer: { restored: true, compared: true } });

    // Every session of before has ended.
    for (const session of [mona, octocat]) {
      const answer = await world.call('/github-check-webauthn-params', {}, session);
      expect([answer.status, answer.text]).toEqual([401, 'missing auth token']);
    }

    // No code that could have been used after the copy was made is taken.
    const octocatAgain = await world.signIn('octocat');
    const again = await approveByCode(world, octocatAgain, app.codeAt(Date.now()), byCode);
    expect([again.status, again.text]).toEqual([403, 'This code was already used. Wait for the next one.']);

    // Heads that lost their approval wait again.
    for (const pull of [byKey, byCode]) {
      await shows(world, pull, null);
      const runs = await world.runs(pull.head.sha);
      expect(runs.map(({ conclusion }) => conclusion).sort()).toEqual([null, 'success'].sort());
    }
    expect(await world.runs(waiting.head.sha)).toHaveLength(1);

    // No answer to a challenge of before is taken.
    mona = await world.signIn('mona');
    const late = await world.call(
      '/github-check-webauthn',
      { params: targetOf(world, waiting), authResponse: signed, accessToken: mona.accessToken },
      mona,
    );
    expect([late.status, late.text]).toEqual([
      403,
      "This request doesn't belong to you or to this page. Open the page again.",
    ]);
    await shows(world, byCode, null);
    await shows(world, waiting, null);

    // The product goes on: it never ended, and takes approvals of pull requests of before and of now.
    expect(product.code).toBeUndefined();
    expect((await fetch(`${world.origin}/readyz`)).status).toBe(200);
    for (const pull of [byKey, await world.pendingPull('After the restore')]) {
      expect((await approve(world, mona, pull)).status).toBe(200);
      await shows(world, pull, 'success');
    }
    expect(backupsIn(world)).toEqual([]);
  }, 180_000);

  longIt(
    'a backup from before records had MACs is restored only if the operator trusts it',
    async () => {
      const old = copyOfEnded();
      const store = await startStore(configOf(old), silent);
      const file = join(scratch(), 'before-macs.zip.age');
      try {
        const records = await superuserOf(store.address);
        await records.collections.truncate('schema_versions');
        await records.collection('schema_versions').create({ version: 4 });
        const [credential] = await records.collection('webauthn').getFullList();
        await records.collection('webauthn').update(credential?.id ?? '', { mac: '' });
      } finally {
        await store.stop();
      }
      await callBackUp(old, file);
      const refused = await restore(world.env, file);
      expect([refused.code, refused.said]).toEqual([1, [expect.stringContaining('-- <file> --seal')]]);
      const restored = await restore(world.env, file, '--seal');
      expect(restored).toMatchObject({ code: 0, said: [], answer: { restored: true } });
      mona = await world.signIn('mona');
      expect((await approve(world, mona, await world.pendingPull('By a sealed key'))).status).toBe(200);
    },
    180_000,
  );

  it('a new key replaces the old one while it runs, and people notice nothing', async () => {
    const keyFile = join(world.dataDir, 'secret.key');
    const old = readFileSync(keyFile, 'utf8');
    const { code, answer, said } = await command('cli/rotate-key', world.env);
    expect({ code, said, answer }).toMatchObject({
      code: 0,
      said: [],
      answer: { rotated: true, records: { resealed: expect.any(Number), refused: 0 } },
    });
    const fresh = readFileSync(keyFile, 'utf8');
    expect([fresh === old, fresh.includes(','), statSync(keyFile).mode & 0o777]).toEqual([
      false,
      false,
      0o600,
    ]);
    const pull = await world.pendingPull('After the rotation');
    expect((await approve(world, mona, pull)).status).toBe(200);
    await shows(world, pull, 'success');
    expect(product.stderr).not.toContain('was not written by OTP Guard');
    // Sealing once more is nothing that happens by mistake.
    const sealed = await command('cli/seal-records', world.env);
    expect([sealed.code, sealed.said]).toEqual([1, [expect.stringContaining('seal-records -- --again')]]);
  }, 120_000);

  it('a second product does not start over the same folder', async () => {
    await expect(startStore(configOf(world), silent)).rejects.toThrow(
      `DATA_DIR: another OTP Guard is already running over ${world.dataDir}.`,
    );
    expect((await fetch(`${world.origin}/readyz`)).status).toBe(200);
    expect(JSON.parse(readFileSync(noteOf(world), 'utf8'))).toMatchObject({ pid: product.child.pid });
  }, 60_000);

  it('a command waits for a store that its product starts again', async () => {
    for (const pid of storesOf(world)) process.kill(pid, 'SIGKILL');
    const { url } = JSON.parse(readFileSync(noteOf(world), 'utf8'));
    expect((await findOrStartStore(configOf(world), silent, PATIENCE_MS)).address.url).toBe(url);
  }, 90_000);

  it('a command takes no store that hangs out of the hands of its product, and puts nothing of it aside', async () => {
    await until('its store', async () => storesOf(world).length > 0, PATIENCE_MS);
    const hanging = storesOf(world);
    for (const pid of hanging) process.kill(pid, 'SIGSTOP');
    try {
      await expect(findOrReplaceStore(configOf(world), silent, 0)).rejects.toThrow(
        /does not answer\. Try again\.$/,
      );
    } finally {
      for (const pid of hanging) process.kill(pid, 'SIGCONT');
    }
    expect(asideOf(world)).toEqual([]);
    expect(storesOf(world)).toEqual(hanging);
  }, 90_000);
});

describe('without a running product', () => {
  it('a sweep over the folder of a product that was killed starts the store, and ends it again', async () => {
    const world = copyOfEnded();
    const product = await start(world);
    product.child.kill('SIGKILL');
    await until('the record store to end', async () => processesOf(world.dataDir).length === 0, PATIENCE_MS);
    expect(existsSync(noteOf(world))).toBe(true);

    const pull = await world.openPull('While nobody was there');
    const { code, answer, said } = await sweep(world.env);
    expect({ code, said }).toEqual({ code: 0, said: [] });
    expect(answer?.repaired).toContainEqual({ repository: 'octo-org/hello', head: pull.head.sha });
    await shows(world, pull, null);
    expect(processesOf(world.dataDir)).toEqual([]);
    expect(existsSync(noteOf(world))).toBe(false);
  }, 120_000);

  it.each(['', 'null', '{}', '{"url":"nowhere"}', '['])('a note %p names no running store', async (text) => {
    const world = worldOver(scratch(), ended.env);
    writeFileSync(noteOf(world), text);
    expect(await findRunningStore(world.dataDir)).toBeNull();
  });

  describe('over a store that is damaged', () => {
    it('no command begins with an empty one, and nothing is overwritten', async () => {
      const world = copyOfEnded();
      damage(world);
      await expect(findOrStartStore(configOf(world), silent)).rejects.toBeInstanceOf(DamagedStore);
      expect(readFileSync(databaseOf(world), 'utf8')).toBe(DAMAGE);
      expect(asideOf(world)).toEqual([]);
      expect(processesOf(world.dataDir)).toEqual([]);
    });

    it.each<[string, (world: World) => void]>([
      ['is empty', (world) => writeFileSync(databaseOf(world), '')],
      ['is gone', (world) => rmSync(databaseOf(world))],
    ])('no command begins with an empty one if its data %s', async (_what, change) => {
      const world = copyOfEnded();
      damage(world);
      change(world);
      await expect(findOrStartStore(configOf(world), silent)).rejects.toThrow(
        /has lost its data.*npm run restore -- <file>$/,
      );
      expect(existsSync(databaseOf(world)) ? statSync(databaseOf(world)).size : 0).toBe(0);
    });

    it('a restore of what is no backup leaves it where it is', async () => {
      const world = copyOfEnded();
      damage(world);
      const { code, answer, said } = await restore(world.env, written(`PK\u0003\u0004${'x'.repeat(9_999)}`));
      expect([code, answer, said]).toEqual([
        1,
        null,
        [expect.stringMatching(/some\.zip is not a backup\.$/)],
      ]);
      expect(readFileSync(databaseOf(world), 'utf8')).toBe(DAMAGE);
      expect(asideOf(world)).toEqual([]);
    }, 60_000);

    longIt(
      'a restore puts it aside, untouched, and brings the copy back, but no superuser of before',
      async () => {
        const world = copyOfEnded();
        damage(world);
        const { code, answer, stderr } = await restore(world.env, backup);
        expect({ code, answer }).toEqual({ code: 0, answer: { restored: true, ignored: 0, compared: true } });
        expect(stderr).toContain('its folder was renamed');
        const [kept = '', ...more] = asideOf(world);
        expect(more).toEqual([]);
        expect(readFileSync(join(world.dataDir, kept, 'data', 'data.db'), 'utf8')).toBe(DAMAGE);
        expect(processesOf(world.dataDir)).toEqual([]);
        expect(await superusersOf(world)).toHaveLength(1);

        const product = await start(world);
        const mona = await world.signIn('mona');
        expect(await listOf(world, mona, 'webauthn')).toHaveLength(1);
        const pull = await world.pendingPull('After the damage');
        expect((await approve(world, mona, pull)).status).toBe(200);
        await stop(world, product);
      },
      180_000,
    );
  });
});

describe('over an external store', () => {
  longIt(
    'a restore brings the records back, and leaves the settings’ superuser as the only one',
    async () => {
      const store = await startEmptyStore();
      try {
        const env = {
          ...ended.env,
          POCKETBASE_URL: store.url,
          POCKETBASE_SUPERUSER_EMAIL: store.email,
          POCKETBASE_SUPERUSER_PASSWORD: store.password,
          SECRET_KEY,
        };
        expect((await sweep(env)).code).toBe(0);
        const keys = store.records.collection('one_time_keys');
        const kept = await keys.create({ key: 'kept' });
        const former = { email: 'former@acme.test', password: 'password-of-former' };
        const superusers = store.records.collection('_superusers');
        const { id } = await superusers.create({ ...former, passwordConfirm: former.password });
        const file = join(scratch(), 'external.zip.age');
        expect(await backUp(env, file)).toMatchObject({ code: 0, said: [] });
        await superusers.delete(id);
        await keys.delete(kept.id);

        expect(await restore(env, file)).toMatchObject({ code: 0, said: [], answer: { compared: true } });
        store.records.authStore.clear();
        await superusers.authWithPassword(store.email, store.password);
        expect(await keys.getOne(kept.id)).toMatchObject({ key: 'kept' });
        expect(await superusers.getFullList()).toMatchObject([{ email: store.email }]);
      } finally {
        await store.stop();
      }
    },
    120_000,
  );
});

describe('the product’s own session at its store', () => {
  it('begins again after a restore, even if the store shows a guest empty lists instead of refusing', async () => {
    const dataDir = scratch();
    const store = await startEmbeddedStore({ dataDir, publicUrl: 'http://localhost:3000', log: silent });
    try {
      const { config, github } = settingsFor(dataDir);
      const client = createStoreClient(store, { dataDir });
      await migrate(client, config, github);
      await createOrganizations(client).save(anInstallation());
      // As a restore does, and as a day does: the session of before serves no more.
      await markRestore(dataDir, async () => {
        await upsertSuperuser(dataDir, store);
        await expect(createOrganizations(client).byOrgId(9)).rejects.toMatchObject({
          code: 'storeUnavailable',
        });
      });
      expect(await createOrganizations(client).byOrgId(9)).toMatchObject({ name: 'octo-org' });
    } finally {
      await store.stop();
    }
  }, 60_000);
});

function settingsFor(dataDir: string): { config: Config; github: GitHubConfig } {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const config = readConfig({
    APP_ID: '1',
    PRIVATE_KEY: privateKey,
    WEBHOOK_SECRET: 'secret',
    GITHUB_CLIENT_ID: 'id',
    GITHUB_CLIENT_SECRET: 'secret',
    DATA_DIR: dataDir,
  });
  if (!config.github) throw new Error('no App');
  return { config, github: config.github };
}

/** A zip archive of these files, not compressed (PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16). */
function archiveOf(files: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const entry = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), data]);
    const version = Buffer.from([20, 0]);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), version, common, place, Buffer.from(name)]));
    parts.push(entry);
    offset += entry.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\u0005\u0006'), end]);
}
