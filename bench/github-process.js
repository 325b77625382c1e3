// The local GitHub as a process of its own, so that it doesn't share a thread with what is measured. Its parent can set
// how long answers take, and is told about each request and answer.
import diagnostics from 'node:diagnostics_channel';
import { startLocalGitHub } from '../dist-demo/demo/local-github.js';

const options = JSON.parse(process.argv[2] ?? '{}');
let latencyMs = 0;
process.on('message', (message) => {
  latencyMs = message.latencyMs;
  process.send({ latencyMs });
});
process.on('disconnect', () => process.exit(0));

const github = await startLocalGitHub({ port: 0, ...options, latencyMs: () => latencyMs });
const port = Number(new URL(github.origin).port);
const tell = (moment, { method, url: path, socket }) => {
  // Not those to the emulator behind it.
  if (socket.localPort === port)
    process.send({ [moment]: { method, path, at: Number(process.hrtime.bigint()) / 1e6 } });
};
diagnostics.subscribe('http.server.request.start', ({ request }) => tell('request', request));
diagnostics.subscribe('http.server.response.finish', ({ request }) => tell('answer', request));
const { origin, env, facts } = github;
process.send({ ready: { origin, env, facts } });
