// Writes fixtures/github/openapi.json: the part of GitHub's published OpenAPI description that describes the requests
// of the product and of the tests of the local GitHub, and GitHub’s answers to them. The whole description is 385 MB, so it isn't a dependency. npm pack downloads it, or you name the
// folder of an unpacked @octokit/openapi:
//   node scripts/extract-openapi.js [folder]
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const operations = [
  'GET /app',
  'GET /app/hook/config',
  'GET /app/hook/deliveries',
  'POST /app/hook/deliveries/{delivery_id}/attempts',
  'POST /app-manifests/{code}/conversions',
  'GET /app/installations',
  'GET /app/installations/{installation_id}',
  'POST /app/installations/{installation_id}/access_tokens',
  'GET /installation/repositories',
  'GET /repos/{owner}/{repo}',
  'GET /repos/{owner}/{repo}/pulls',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/files',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  'PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/assignees',
  'DELETE /repos/{owner}/{repo}/issues/{issue_number}/assignees',
  'GET /repos/{owner}/{repo}/git/commits/{commit_sha}',
  'POST /repos/{owner}/{repo}/git/commits',
  'PATCH /repos/{owner}/{repo}/git/refs/{ref}',
  'POST /repos/{owner}/{repo}/check-runs',
  'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
  'POST /repos/{owner}/{repo}/check-suites',
  'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls',
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
  'GET /repos/{owner}/{repo}/commits/{ref}/check-suites',
  'GET /repos/{owner}/{repo}/rules/branches/{branch}',
  'GET /repos/{owner}/{repo}/rulesets',
  'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}',
  'PUT /repos/{owner}/{repo}/rulesets/{ruleset_id}',
  'GET /repos/{owner}/{repo}/rulesets/rule-suites',
  'GET /repos/{owner}/{repo}/rulesets/rule-suites/{rule_suite_id}',
  'GET /repos/{owner}/{repo}/branches/{branch}/protection',
  'GET /repos/{owner}/{repo}/branches/{branch}/protection/required_status_checks',
  'GET /repos/{owner}/{repo}/branches/{branch}/protection/enforce_admins',
  'GET /repos/{owner}/{repo}/keys',
  'GET /repos/{owner}/{repo}/actions/workflows',
  'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches',
  'GET /repos/{owner}/{repo}/actions/runs',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/pending_deployments',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/approvals',
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/deployment_protection_rule',
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun',
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel',
  'GET /repos/{owner}/{repo}/environments',
  'GET /repos/{owner}/{repo}/environments/{environment_name}',
  'PUT /repos/{owner}/{repo}/environments/{environment_name}',
  'GET /repos/{owner}/{repo}/environments/{environment_name}/deployment_protection_rules',
  'POST /repos/{owner}/{repo}/environments/{environment_name}/deployment_protection_rules',
  'GET /repos/{owner}/{repo}/environments/{environment_name}/deployment_protection_rules/apps',
  'DELETE /repos/{owner}/{repo}/environments/{environment_name}/deployment_protection_rules/{protection_rule_id}',
  'GET /repos/{owner}/{repo}/deployments',
  'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
  'GET /orgs/{org}/rulesets',
  'GET /orgs/{org}/rulesets/{ruleset_id}',
  'GET /orgs/{org}/installations',
  'GET /orgs/{org}/members',
  'GET /orgs/{org}/memberships/{username}',
  'GET /orgs/{org}/teams/{team_slug}/members',
  'GET /repos/{owner}/{repo}/collaborators',
  'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
  'POST /applications/{client_id}/token',
  'GET /user',
  'GET /user/emails',
  'GET /user/{account_id}',
  'GET /user/installations',
  'GET /user/installations/{installation_id}/repositories',
  'GET /user/memberships/orgs',
  'GET /users/{username}',
];

const PARTS = ['generated/api.github.com.json', 'generated/ghes-?.??.json', 'LICENSE', 'package.json'];

/** The keywords that validate a value; the extract omits all others. */
const schemaKeywords = [
  ...['type', 'nullable', 'enum', 'format', 'pattern', 'required', 'additionalProperties'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
];

const out = join(dirname(import.meta.dirname), 'fixtures/github');
const temporary = mkdtempSync(join(tmpdir(), 'otp-guard-openapi-'));
try {
  const folder = process.argv[2] ? resolve(process.argv[2]) : fetchPackage(temporary);
  extract(folder);
  requireInEnterpriseServers(folder);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

function fetchPackage(folder) {
  execFileSync('npm', ['pack', '--silent', '@octokit/openapi'], { cwd: folder, stdio: 'inherit' });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', archive, '--wildcards', ...PARTS.map((part) => `package/${part}`)], {
    cwd: folder,
  });
  return join(folder, 'package');
}

function extract(folder) {
  const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const source = read('generated/api.github.com.json');
  const { name, version, license } = read('package.json');
  const follow = (node) => (node.$ref ? follow(resolveRef(source, node.$ref)) : node);

  const paths = {};
  for (const operation of operations) {
    const [method, path] = operation.split(' ');
    const found = source.paths[path]?.[method.toLowerCase()];
    if (!found) throw new Error(`GitHub's description doesn't have ${operation}.`);
    const described = { ...requestOf(found, follow), responses: responsesOf(found, follow) };
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  }
  const schemas = schemasOf(source, paths);
  const info = {
    title: 'Requests to GitHub and its answers, an extract',
    version,
    license,
    'x-source': `${name}@${version}`,
  };
  mkdirSync(out, { recursive: true });
  const heading = `"openapi": ${JSON.stringify(source.openapi)},\n"info": ${JSON.stringify(info)}`;
  const body = `"paths": ${inLines(paths)},\n"components": {"schemas": ${inLines(schemas)}}`;
  writeFileSync(join(out, 'openapi.json'), `{\n${heading},\n${body}\n}\n`);
  copyFileSync(join(folder, 'LICENSE'), join(out, 'LICENSE-openapi'));
}

/** @throws an Error that names each operation, parameter and member of a body that a described Enterprise Server lacks. */
function requireInEnterpriseServers(folder) {
  const read = (name) => JSON.parse(readFileSync(join(folder, 'generated', name), 'utf8'));
  const github = namesOf(read('api.github.com.json'));
  const servers = readdirSync(join(folder, 'generated')).filter((name) => /^ghes-[\d.]+\.json$/.test(name));
  const missing = servers.flatMap((server) => {
    const known = new Set(namesOf(read(server)));
    return github.filter((name) => !known.has(name)).map((name) => `${server} lacks ${name}`);
  });
  // These are not on every server, and we ask for none of them.
  const unused = /custom_properties_for_organizations$|rule-suites evaluate_status$|return_run_details$/;
  const ours = missing.filter((one) => !unused.test(one));
  if (ours.length > 0) throw new Error(ours.join('\n'));
  process.stdout.write(`Compared with ${servers.join(', ')}.\n`);
}

/** Our operations, and each with each of its parameters and members of its body. */
function namesOf(source) {
  const follow = (node) => (node.$ref ? follow(resolveRef(source, node.$ref)) : node);
  return operations.flatMap((operation) => {
    const [method, path] = operation.split(' ');
    const found = source.paths[path]?.[method.toLowerCase()];
    if (!found) return [];
    const { parameters, requestBody } = requestOf(found, follow);
    const body = requestBody ? membersOf(requestBody.content['application/json'].schema) : [];
    const names = [...parameters.map(({ name }) => name), ...body];
    return [operation, ...names.map((name) => `${operation} ${name}`)];
  });
}

function membersOf({ properties = {}, items, oneOf = [], anyOf = [], allOf = [] }) {
  const parts = [...oneOf, ...anyOf, ...allOf, ...(items ? [items] : [])].flatMap(membersOf);
  const own = Object.entries(properties);
  return [
    ...parts,
    ...own.flatMap(([name, one]) => [name, ...membersOf(one).map((part) => `${name}.${part}`)]),
  ];
}

/** JSON with a line for each member: short, and still readable in a diff. */
function inLines(object) {
  const lines = Object.entries(object).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(',\n')}\n}`;
}

function resolveRef(source, ref) {
  return ref
    .slice('#/'.length)
    .split('/')
    .reduce((node, key) => node[key.replaceAll('~1', '/').replaceAll('~0', '~')], source);
}

function requestOf({ operationId, parameters = [], requestBody }, follow) {
  const request = { operationId };
  request.parameters = parameters.map(follow).map((parameter) => ({
    name: parameter.name,
    in: parameter.in,
    required: parameter.required ?? false,
    schema: simplify(parameter.schema, follow),
  }));
  if (requestBody) {
    const { required = false, content } = follow(requestBody);
    const schema = simplify(content['application/json'].schema, follow);
    request.requestBody = { required, content: { 'application/json': { schema } } };
  }
  return request;
}

/** The schemas of the answers, by status. They share most of their parts, so references stay. */
function responsesOf({ responses }, follow) {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const schema = follow(response).content?.['application/json']?.schema;
      return [status, schema ? { content: { 'application/json': { schema: simplify(schema) } } } : {}];
    }),
  );
}

/** Every schema that `part` refers to, directly or not. */
function schemasOf(source, part, found = {}) {
  for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found[name]) continue;
    found[name] = simplify(source.components.schemas[name]);
    schemasOf(source, found[name], found);
  }
  return Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The schema with the keywords above only, and with its references resolved by `follow`, if that is given. */
function simplify(node, follow) {
  if (typeof node !== 'object') return node;
  if (node.$ref && !follow) return { $ref: node.$ref };
  const schema = follow ? follow(node) : node;
  const kept = Object.fromEntries(Object.entries(schema).filter(([key]) => schemaKeywords.includes(key)));
  for (const key of ['oneOf', 'anyOf', 'allOf']) {
    if (schema[key]) kept[key] = schema[key].map((one) => simplify(one, follow));
  }
  for (const key of ['items', 'not', 'additionalProperties']) {
    if (schema[key] !== undefined) kept[key] = simplify(schema[key], follow);
  }
  if (schema.properties) {
    const members = Object.entries(schema.properties);
    kept.properties = Object.fromEntries(members.map(([name, one]) => [name, simplify(one, follow)]));
  }
  return withNull(kept);
}

/** JSON Schema needs `null` where OpenAPI 3.0 has `nullable`. */
function withNull({ nullable, ...schema }) {
  if (!nullable) return schema;
  if (schema.enum && !schema.enum.includes(null))
    return { ...schema, enum: [...schema.enum, null], nullable };
  return schema.type ? { ...schema, nullable } : { anyOf: [schema, { type: 'null' }] };
}
