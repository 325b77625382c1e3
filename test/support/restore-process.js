// `otp-guard restore` until it has replaced the records, which sends itself a signal at one of its steps. The first
// argument holds the backup's path, the signal and the step as JSON. It prints the steps that it reached.

import { createStoreClient } from '../../dist/adapters/pocketbase/client.js';
import { findOrReplaceStore } from '../../dist/adapters/pocketbase/process/start-store.js';
import { replaceRecords } from '../../dist/app/replace-records.js';
import { openInTemporaryStore } from '../../dist/cli/open-in-temporary-store.js';
import { readConfig } from '../../dist/settings/config.js';
import { createLog } from '../../dist/shared/log.js';

const { path, signal, at, github } = JSON.parse(process.argv[2]);
const settings = readConfig();
const config = { ...settings, github: github ?? settings.github };
const log = await createLog({ ...config, logLevel: 'error' });
const backup = await openInTemporaryStore(config, log, path);
const store = await findOrReplaceStore(config, log);
const client = createStoreClient(store.address);

const steps = [];
function reach(step) {
  steps.push(step);
  if (step === at) process.kill(process.pid, signal);
}

/** The same record store, in which the request to replace the records is two steps: asking and its answer. */
const watched = (records) => {
  const { backups } = records;
  const restore = async (name) => {
    reach('asks');
    await backups.restore(name);
    reach('answered');
  };
  return new Proxy(records, {
    get: (all, name) => (name === 'backups' ? Object.assign(Object.create(backups), { restore }) : all[name]),
  });
};

let requests = 0;
const watchedClient = {
  ...client,
  async run(work) {
    requests += 1;
    reach(`request ${requests}`);
    const answer = await client.run((records) => work(watched(records)));
    // It asks for the mark of the new records until it sees that.
    if (steps.includes('answered') && answer?.items?.length) reach('seen');
    return answer;
  },
};
await replaceRecords({ config, log, store, client: watchedClient }, backup);
reach('replaced');
await store.stop();
await backup.stop();
process.stdout.write(JSON.stringify(steps));
