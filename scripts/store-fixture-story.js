// Runs as a test in the tree of an older version, where `write-store-fixtures.js` copies it to. It leaves a stopped
// data folder, and checks that this version refuses the data folder of the next one.
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import pino from 'pino';
import { startLocalGitHub } from '../../demo/local-github.ts';
import { startProduct } from '../../src/product.ts';
import { readConfig } from '../../src/settings/config.ts';
import { SoftwareAuthenticator } from '../support/authenticator.ts';
import { FIXTURE_CREDENTIAL, fixtureKeys } from '../support/fixture-passkey.ts';
import { approvalOptions, clientOf, freePort, registerPasskey, targetOf, until } from '../support/product.ts';

const { DATA_FOLDER, NEWER_FOLDER, STORE_SECRET_KEY, TEST_APP_KEY } = process.env;
const log = pino({ level: 'silent' });
globalThis.fixtureKeys = fixtureKeys;

/** Starts the product over this folder, against a new local GitHub. */
async function over(folder, work) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const github = await startLocalGitHub({ privateKey: TEST_APP_KEY, port: 0, publicUrl: origin });
  const settings = { PORT: String(port), HOST: 'localhost', DATA_DIR: folder, SECRET_KEY: STORE_SECRET_KEY };
  const config = readConfig({ ...github.env, ...settings, AUTO_BACKUPS: 'off' });
  try {
    const product = await startProduct(config, { log, dashboardDir: resolve('dist/web') });
    await product.firstRound;
    await work({ ...clientOf({ origin, github }), github, dataDir: folder, log: [] }).finally(product.stop);
  } finally {
    await github.close();
  }
}

it('makes a data folder with an approval and a pull request that waits', async () => {
  await over(DATA_FOLDER, async (world) => {
    const mona = await world.signIn('mona');
    const passkey = new SoftwareAuthenticator(world.origin, FIXTURE_CREDENTIAL);
    const { facts } = world.github;
    await registerPasskey(world, mona, { org: facts.org, orgID: facts.orgID }, passkey);
    const [approved] = [await world.pendingPull('Approved'), await world.pendingPull('Waits')];
    const params = targetOf(world, approved);
    const { options } = await approvalOptions(world, mona, params);
    const body = { params, authResponse: passkey.get(options), accessToken: mona.accessToken };
    expect((await world.call('/github-check-webauthn', body, mona)).status).toBe(200);
    await until('the green check', async () => {
      const runs = await world.runs(approved.head.sha);
      return runs.some(({ conclusion }) => conclusion === 'success');
    });
  });
}, 180_000);

(NEWER_FOLDER ? it : it.skip)(
  'refuses the data folder of the next version',
  async () => {
    await expect(over(NEWER_FOLDER, async () => undefined)).rejects.toThrow(/only knows schemas up to/);
  },
  180_000,
);
