// Starts the GitHub of @simulacrum/github-api-simulator, which answers with the examples of GitHub's OpenAPI description,
// and prints its port. It has one organization, which the soak's adapters read.
import { simulation } from '@simulacrum/github-api-simulator';

const initialState = {
  users: [{ login: 'octocat', organizations: ['Octocoders'] }],
  organizations: [{ login: 'Octocoders' }],
  installations: [],
  repositories: [{ owner: 'Octocoders', name: 'Hello-World' }],
  branches: [{ owner: 'Octocoders', repo: 'Hello-World', name: 'master' }],
  blobs: [],
};
const app = simulation({ apiSchema: 'api.github.com.json', initialState });
const { server } = await app.listen(0);
process.stdout.write(`${server.address().port}\n`);
