// `otp-guard restore` until it has replaced the records, which sends itself a signal at one of its steps. The first
// argument holds the backup's path, the signal and the step as JSON. It prints the steps that it reached.

import { createStoreClient } from '../../dist/adapters/pocketbase/client.js';
import { replaceRecords } from '../../dist/app/replace-records.js';
import { checkBackup } from '../../dist/cli/check-backup.js';
import { readConfig } from '../../dist/settings/config.js';
import { createLog } from '../../dist/shared/log.js';

const { path, signal, at, github } = JSON.parse(process.argv[2]);
const settings = readConfig();
const config = { ...settings, github: github ?? settings.github };
const log = await createLog({ ...config, logLevel: 'error' });
const store = await checkBackup(config, log, path);
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
await replaceRecords({
  config,
  log,
  store,
  client: {
    ...client,
    async run(work) {
      requests += 1;
      reach(`request ${requests}`);
      const answer = await client.run((records) => work(watched(records)));
      // It asks for the mark of the new records until it sees that.
      if (steps.includes('answered') && answer?.items?.length) reach('seen');
      return answer;
    },
  },
});
reach('replaced');
await store.stop();
process.stdout.write(JSON.stringify(steps));
