import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorObject } from 'ajv';
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
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  enum?: unknown[];
};

type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema };

type Operation = {
  parameters: Parameter[];
  /** Schemas of all parameters of that kind. */
  path: Schema;
  query: Schema;
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

// Compiling the schemas takes a second, so the test files of a worker share them. Ajv keeps what it compiled.
const { description, ajv, ajvOfTexts } = keepInWorker('github-openapi', () => {
  const read = readDescription();
  // Without these two options compiling takes more than twice as long.
  const fast = { inlineRefs: false, code: { optimize: false } } as const;
  const made = new Ajv({ allErrors: true, strict: false, logger: false, ...fast });
  addFormats.default.default(made);
  // As a schema of its own, so that the references in it are found.
  made.addSchema(read, 'github');
  return { description: read, ajv: made, ajvOfTexts: new Ajv({ ...made.opts, coerceTypes: true }) };
});

/** GitHub's published description of the product's requests and their answers. */
function readDescription(): Description {
  const file = join(import.meta.dirname, '../../fixtures/github/openapi.json');
  const read: Description = workerGlobals.JSON.parse(readFileSync(file, 'utf8'));
  // Two errors in GitHub's description. A run that didn't complete for 14 days does go stale ("About status checks"),
  // and the account of an installation isn't both a user and an enterprise.
  read.components.schemas['check-run']?.properties?.conclusion?.enum?.push('stale');
  const listed = read.paths['/app/installations']?.get?.responses['200']?.content?.['application/json'];
  if (listed) listed.schema = { type: 'array', items: { $ref: '#/components/schemas/installation' } };
  for (const methods of Object.values(read.paths)) {
    for (const operation of Object.values(methods)) {
      const body = operation.requestBody?.content['application/json'];
      if (body) close(body.schema);
      for (const location of ['path', 'query'] as const)
        operation[location] = objectOf(operation.parameters.filter((one) => one.in === location));
    }
  }
  return read;
}

/** The parameters, and no others, as one object. */
function objectOf(parameters: Parameter[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter((one) => one.required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Lets the schema refuse members that it doesn't have, at any depth. */
function close(schema: Schema): void {
  if (schema.properties) schema.additionalProperties = false;
  for (const one of [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])])
    close(one);
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
  const values = Object.values(found.values);
  const query = [...new Set(searchParams.keys())].map((name) => {
    const [value, ...repeated] = searchParams.getAll(name);
    return [name, repeated.length > 0 ? [value, ...repeated] : value];
  });
  return [
    ...values
      .filter((value) => ['', 'undefined', 'null', 'NaN'].includes(value))
      .map(() => `${pathname} lacks a part`),
    ...check(ajvOfTexts, operation.path, found.values).map((problem) => `path${problem}`),
    ...check(ajvOfTexts, operation.query, Object.fromEntries(query)).map((problem) => `query${problem}`),
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
    const values: Record<string, string> = {};
    for (const [index, part] of expected.entries()) {
      if (part.startsWith('{')) values[part.slice(1, -1)] = decodeURIComponent(segments[index] ?? '');
    }
    return { template, methods, values };
  }
  return undefined;
}

function checkBody({ requestBody }: Operation, body: unknown): string[] {
  if (!requestBody) return body === undefined ? [] : ['unexpected body'];
  if (body === undefined) return requestBody.required ? ['missing body'] : [];
  const { schema } = requestBody.content['application/json'];
  return check(ajv, schema, body).map((problem) => `body${problem}`);
}

function check(by: typeof ajv, schema: Schema, value: unknown): string[] {
  const validate = by.compile(schema);
  return validate(value) ? [] : (validate.errors ?? []).map(describe);
}

function describe({ instancePath, message, params }: ErrorObject) {
  const { allowedValues = [], additionalProperty = '' } = params;
  return `${instancePath.replaceAll('/', '.')} ${message} ${[...allowedValues, additionalProperty].join(', ')}`;
}
