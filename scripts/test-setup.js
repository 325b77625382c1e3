// Runs once before all tests. The workers inherit the environment. Making a key takes longer than starting a local
// GitHub, and a run starts about a hundred of them.
import { generateKeyPairSync } from 'node:crypto';
import { bundlePrograms } from './bundle-programs.js';
import { prepareStore } from './prepare-store.js';

export default async function setUp() {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  process.env.TEST_APP_KEY = privateKey;
  // Unit tests need neither, and what is built may be older than the scripts that read it.
  if (!process.env.BUILT) return;
  await bundlePrograms();
  await prepareStore();
}
