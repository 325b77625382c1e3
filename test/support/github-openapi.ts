import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { OPEN_HEADS } from '../../src/adapters/github/open-heads-query.ts';
import { importPackage, keepInWorker, workerGlobals } from './built.ts';

export type GitHubRequest = {
  method: string;
  /** Path and query, as sent: `/repos/octo-org/hello/pulls?state=open`. */
  url: string;
  /** The parsed JSON body; undefined if the request has none. */
  body?: unknown;
};

type Schema = {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
};

type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema };

type Operation = {
  parameters: Parameter[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } };
  /** By status; one without `content` has no body. */
  responses: Record<string, { content?: { 'application/json': { schema: Schema } } }>;
};

export type GitHubAnswer = { method: string; url: string; status: number; body: string };

type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const { Ajv } = await importPackage<typeof import('ajv')>('ajv');
const addFormats = await importPackage<typeof import('ajv-formats')>('ajv-formats');

// Compiling the schemas takes a second, so the test files of a worker share them.
const { description, ajv, compiled } = keepInWorker('github-openapi', () => {
  const read = readDescription();
  // Without these two options compiling takes more than twice as long.
  const fast = { inlineRefs: false, code: { optimize: false } } as const;
  const made = new Ajv({ allErrors: true, strict: false, logger: false, ...fast });
  addFormats.default.default(made);
  // As a schema of its own, so that the references in it are found.
  made.addSchema(read, 'github');
  return { description: read, ajv: made, compiled: new workerGlobals.Map<Schema, ValidateFunction>() };
});

/** GitHub's published description of the product's requests and their answers. */
function readDescription(): Description {
  const file = join(import.meta.dirname, '../../fixtures/github/openapi.json');
  const read: Description = workerGlobals.JSON.parse(readFileSync(file, 'utf8'));
  // Two errors in GitHub's description. A run that didn't complete for 14 days does go stale ("About status checks"),
  // and the account of an installation isn't a user and an enterprise at once.
  read.components.schemas['check-run']?.properties?.conclusion?.enum?.push('stale');
  const listed = read.paths['/app/installations']?.get?.responses['200']?.content?.['application/json'];
  if (listed) listed.schema = { type: 'array', items: { $ref: '#/components/schemas/installation' } };
  return read;
}

/**
 * How a request differs from GitHub's published description (`fixtures/github/openapi.json`); empty if it doesn't.
 * GitHub ignores unknown members of a body, but here they are problems, because they may be typing errors.
 */
export function checkGitHubRequest({ method, url, body }: GitHubRequest): string[] {
  const { pathname, searchParams } = new URL(url, 'https://api.github.com');
  if (pathname === '/graphql') return checkQueryText(body);
  const found = findPath(pathname);
  if (!found) return [`unknown path ${pathname}`];
  const operation = found.methods[method.toLowerCase()];
  if (!operation) return [`unknown method ${method.toUpperCase()} ${found.template}`];
  return [
    ...checkPath(operation, found.values),
    ...checkQuery(operation, searchParams),
    ...checkBody(operation, body),
  ];
}

/**
 * How an answer of the local GitHub differs from GitHub's published description; empty if it doesn't, and for requests
 * that the product doesn't send. An error that isn't described needs a message.
 */
export function checkGitHubAnswer({ method, url, status, body }: GitHubAnswer): string[] {
  const found = findPath(new URL(url, 'https://api.github.com').pathname);
  const described = found?.methods[method.toLowerCase()]?.responses;
  // Every read may be redirected or conditional, described or not.
  if (!found || !described || [301, 304, 307].includes(status)) return [];
  const at = `${method} ${found.template} ${status}`;
  const isDescribed = Object.hasOwn(described, status);
  if (!isDescribed && status < 400) return [`${at} isn't described`];
  if (isDescribed && !described[status]?.content) return body === '' ? [] : [`${at} has a body`];
  const pointer = ['paths', found.template, method.toLowerCase(), 'responses', `${status}`]
    .concat('content', 'application/json', 'schema')
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  const name = isDescribed ? pointer.join('/') : 'components/schemas/basic-error';
  const validate = ajv.getSchema(`github#/${name}`);
  if (!validate) throw new Error(`fixtures/github/openapi.json has no ${name}`);
  const value: unknown = JSON.parse(body);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${at}${describe(error)}`);
}

/** The description has no queries. A test checks each of ours against GitHub's GraphQL schema. */
function checkQueryText(body: unknown): string[] {
  return (body as { query?: unknown }).query === OPEN_HEADS ? [] : ['unknown query'];
}

/** Paths without parameters come first, as servers match them. */
const paths = Object.entries(description.paths).sort(
  ([one], [other]) => one.split('{').length - other.split('{').length,
);

function findPath(pathname: string) {
  const segments = pathname.split('/');
  for (const [template, methods] of paths) {
    const expected = template.split('/');
    const matches = expected.every((part, index) => part.startsWith('{') || part === segments[index]);
    if (!matches || expected.length !== segments.length) continue;
    const values = new Map<string, string>();
    for (const [index, part] of expected.entries()) {
      if (part.startsWith('{')) values.set(part.slice(1, -1), decodeURIComponent(segments[index] ?? ''));
    }
    return { template, methods, values };
  }
  return undefined;
}

function checkPath({ parameters }: Operation, values: Map<string, string>) {
  return [...values].flatMap(([name, value]) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    if (!parameter) return [`unknown path parameter ${name}`];
    if (['', 'undefined', 'null', 'NaN'].includes(value)) return [`missing path parameter ${name}`];
    return checkParameter(parameter, value);
  });
}

function checkQuery({ parameters }: Operation, query: URLSearchParams) {
  const known = parameters.filter((one) => one.in === 'query');
  const missing = known.filter((one) => one.required && !query.has(one.name));
  return [
    ...missing.map((one) => `missing query parameter ${one.name}`),
    ...[...new Set(query.keys())].flatMap((name) => {
      const parameter = known.find((one) => one.name === name);
      if (!parameter) return [`unknown query parameter ${name}`];
      const values = query.getAll(name);
      if (values.length > 1) return [`repeated query parameter ${name}`];
      return checkParameter(parameter, values[0] ?? '');
    }),
  ];
}

/** Parameters are text, so we parse numbers and booleans before the check. */
function checkParameter({ name, in: location, schema }: Parameter, text: string) {
  const numeric = schema.type === 'integer' || schema.type === 'number';
  const value = numeric && /^-?\d+$/.test(text) ? Number(text) : booleanOf(schema, text);
  return check(schema, value).map((problem) => `${location} parameter ${name}${problem}`);
}

function booleanOf({ type }: Schema, text: string) {
  return type === 'boolean' && ['true', 'false'].includes(text) ? text === 'true' : text;
}

function checkBody({ requestBody }: Operation, body: unknown): string[] {
  if (!requestBody) return body === undefined ? [] : ['unexpected body'];
  if (body === undefined) return requestBody.required ? ['missing body'] : [];
  const { schema } = requestBody.content['application/json'];
  return [...check(schema, body).map((problem) => `body${problem}`), ...unknownMembers(schema, body, 'body')];
}

function check(schema: Schema, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value) ? [] : (validate.errors ?? []).map(describe);
}

function describe({ instancePath, message, params }: ErrorObject) {
  const allowed = 'allowedValues' in params ? ` (${params.allowedValues.join(', ')})` : '';
  return `${instancePath.replaceAll('/', '.')} ${message}${allowed}`;
}

function unknownMembers(schema: Schema, value: unknown, path: string): string[] {
  const { properties, items } = schema;
  if (Array.isArray(value)) {
    return items ? value.flatMap((one, index) => unknownMembers(items, one, `${path}[${index}]`)) : [];
  }
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return known ? unknownMembers(known, member, `${path}.${name}`) : [`unknown member ${path}.${name}`];
  });
}
