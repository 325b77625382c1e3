// The least that takes a webhook durably once: it checks the signature, writes one record to a record store, and asks
// GitHub for the run. It reads no policy, repairs nothing, and its token never expires.
import { createHmac, createSign, timingSafeEqual } from 'node:crypto';
import { Agent, createServer, request as sendRequest } from 'node:http';
import pino from 'pino';
import { createStoreClient } from '../dist/pocketbase/client.js';
import { startEmbeddedStore } from '../dist/pocketbase/process/start-embedded-store.js';
import { migrate } from '../dist/pocketbase/schema/migrate.js';

const { PORT, GITHUB_API_URL: api, APP_ID, PRIVATE_KEY, WEBHOOK_SECRET, DATA_DIR: dataDir } = process.env;
const publicUrl = `http://localhost:${PORT}`;
const store = await startEmbeddedStore({ dataDir, publicUrl, log: pino({ level: 'silent' }) });
const client = createStoreClient(store);
const github = { clientId: 'x', clientSecret: 'x', serverUrl: publicUrl, apiUrl: api };
await migrate(client, { store: { kind: 'embedded', dataDir }, publicUrl, secretKeys: [] }, github);
const agent = new Agent({ keepAlive: true });
const tokens = new Map();

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const expected = `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`;
  const isGenuine = timingSafeEqual(
    Buffer.from(expected),
    Buffer.from(request.headers['x-hub-signature-256']),
  );
  if (!isGenuine) throw new Error('not signed');
  const { pull_request: pull, repository, installation } = JSON.parse(body);
  const guid = request.headers['x-github-delivery'];
  await client.run((records) =>
    records
      .collection('webhook_deliveries')
      .create({ guid, event: 'pull_request', installation_id: installation.id }),
  );
  const answer = await asApp(installation.id, 'POST', `/repos/${repository.full_name}/check-runs`, {
    name: 'Least',
    head_sha: pull.head.sha,
    status: 'in_progress',
    output: { title: 'Waiting', summary: 'Nobody has approved this yet.' },
  });
  response.writeHead(answer.status === 201 ? 202 : 500).end();
}).listen(Number(PORT), 'localhost', () => process.send({ ready: {} }));
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => void store.stop().then(() => process.exit(0)));

async function asApp(installation, method, path, body) {
  if (!tokens.has(installation)) {
    const now = Math.floor(Date.now() / 1000);
    const parts = [{ alg: 'RS256' }, { iat: now - 30, exp: now + 570, iss: APP_ID }];
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const jwt = `${signed}.${createSign('sha256').update(signed).sign(PRIVATE_KEY, 'base64url')}`;
    const headers = { authorization: `bearer ${jwt}`, 'user-agent': 'bench' };
    const url = `${api}/app/installations/${installation}/access_tokens`;
    const { text } = await send(url, { method: 'POST', headers });
    tokens.set(installation, JSON.parse(text).token);
  }
  const headers = {
    authorization: `token ${tokens.get(installation)}`,
    'user-agent': 'bench',
    'content-type': 'application/json',
  };
  return send(`${api}${path}`, { method, headers, body: JSON.stringify(body) });
}

/** Node's `request` takes less than half the processor time of its `fetch`. */
function send(url, { method, headers, body = '' }) {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    const sent = sendRequest(url, { method, agent, headers: { ...headers, ...length } }, async (answer) => {
      let text = '';
      for await (const part of answer.setEncoding('utf8')) text += part;
      resolve({ status: answer.statusCode, text });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
