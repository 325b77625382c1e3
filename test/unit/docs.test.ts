import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Node, Parser } from 'commonmark';
import { DEFINITIONS } from '../../src/adapters/pocketbase/collections.ts';
import { readAppManifest } from '../../src/cli/app-manifest.ts';
import { NEEDED } from '../../src/protection/permissions.ts';

/** In lines, with a margin over the longest one today. */
const LONGEST_PAGE = 220;

const markdownIn = (folder: string, recursive: boolean) =>
  readdirSync(folder, { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => join(folder, name));
const docs = markdownIn('docs', true);
const pages = [
  ...markdownIn('.', false),
  ...docs,
  ...['src', 'web', 'fixtures', 'test', '.github'].flatMap((folder) => markdownIn(folder, true)),
];

function nodesOf(path: string): Node[] {
  const walker = new Parser().parse(readFileSync(path, 'utf8')).walker();
  const nodes: Node[] = [];
  for (let step = walker.next(); step; step = walker.next()) if (step.entering) nodes.push(step.node);
  return nodes;
}

const textOf = (node: Node): string => {
  const own = node.literal ?? (node.type === 'softbreak' ? ' ' : '');
  let text = own;
  for (let child = node.firstChild; child; child = child.next) text += textOf(child);
  return text;
};

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(path: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = nodesOf(path).filter(({ type }) => type === 'heading');
  return new Set(
    headings.map((heading) => {
      const text = textOf(heading).toLowerCase();
      const slug = text.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-');
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

/** The targets of a page's links in this repository, also in its HTML. */
function linksOf(path: string): string[] {
  const nodes = nodesOf(path);
  const markdown = nodes.map((node) => (['link', 'image'].includes(node.type) ? node.destination : null));
  const html = nodes.flatMap((node) =>
    node.type.startsWith('html') ? [...(node.literal ?? '').matchAll(/(?:href|src|srcset)="([^"]+)"/g)] : [],
  );
  return [...markdown, ...html.map(([, link]) => link)].filter(
    (link): link is string => !!link && !/^[a-z]+:/.test(link),
  );
}

it('every link between the pages leads to a file, and to a heading of it', () => {
  const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
  const broken = links.filter(({ page, link }) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? page : join(dirname(page), decodeURI(file));
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(decodeURI(anchor));
  });
  expect(links.length).toBeGreaterThan(200);
  expect(broken).toEqual([]);
});

it('every page that the forms and workflows on GitHub name exists', () => {
  const files = readdirSync('.github', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.ya?ml$/.test(name),
  );
  const named = files.flatMap((name) =>
    [...readFileSync(join('.github', name), 'utf8').matchAll(/(?:[\w-]+\/)*[\w-]+\.md\b/g)].map(
      ([page]) => page,
    ),
  );
  expect(named.length).toBeGreaterThan(2);
  // A release writes its own notes.
  expect(named.filter((page) => page !== 'notes.md' && !existsSync(page))).toEqual([]);
});

it('the documentation’s first page leads to each other one, a page to its parts, and each back', () => {
  for (const page of docs.filter((path) => path !== 'docs/README.md')) {
    const folder = dirname(page);
    const above = folder === 'docs' ? 'docs/README.md' : `${folder}.md`;
    expect([page, linksOf(above)]).toEqual([page, expect.arrayContaining([relative(dirname(above), page)])]);
    expect([page, linksOf(page)[0]]).toEqual([page, relative(folder, above)]);
  }
});

it('each page is short', () => {
  const lengths = docs.map((page) => [page, readFileSync(page, 'utf8').split('\n').length] as const);
  expect(lengths.filter(([, lines]) => lines > LONGEST_PAGE)).toEqual([]);
});

it('docs/assumptions.md lists each assumption once, and names code that exists', () => {
  const rows = readFileSync('docs/assumptions.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows.length).toBeGreaterThan(20);
  const ids = rows.map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const files = rows.flatMap(([, , , , , code = '']) => code.split(' ').map((file) => file.slice(1, -1)));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

describe('docs/specification.md', () => {
  const [contract = '', differences = ''] = readFileSync('docs/specification.md', 'utf8').split(
    '## Differences',
  );
  const sources = ['web/src', 'src']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(name, 'utf8'))
    .join('\n');
  const quoted = (text: string) =>
    [...text.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words.replace(/\s+/g, ' '));
  /** `missing org` isn't in the code because `missing organization id` is. */
  const isWritten = (text: string) =>
    sources
      .split(text)
      .slice(1)
      .some((after) => /^\W/.test(after));
  const unwritten = (texts: string[]) => texts.filter((text) => !isWritten(text));

  it('names only texts that the code has', () => {
    const own = differences.split('\n').flatMap((row) => quoted(row.split('|')[2] ?? ''));
    expect([quoted(contract).length, own.length]).toEqual([22, 11]);
    expect(unwritten([...quoted(contract), ...own])).toEqual([]);
  });

  it('leaves every other specified title, button and message in the code', () => {
    const others = `
      Main Dashboard | Github Organization | Github Account | Logout | Initializing | Authenticate with GitHub
      Add New Organization | No GitHub organizations enrolled yet. | Add one | Select Organization
      Register New Authenticator | Edit Authenticator | Delete Authenticator | Before deleting this authenticator
      deleting authenticator | Error deleting authenticator | Unable to edit authenticator:
      Successfully edited authenticator | Successfully set image | Set E-Mail | Submit Code | Processing
      Activity Log | All Repositories Shared | Connect your first repository with GitHub
      Thanks for connecting to GitHub! Please refresh in a few minutes to see your repositories
      No OTP activity found for commit | Not authorized with GitHub | Unrecognized authenticator type
      Step-up authentication required but no authenticators exist. Please register an authenticator before proceeding.
      The authenticator was previously registered | Registration was not completed
      Authentication was not completed | WebAuthn is not supported in this browser
      missing auth token | missing authenticator | Missing org ID | No org ID, this is a bug
      Something went wrong while processing your request. | pocketbase not initialized
      Context uninitialized | Missing context for auth | Unknown error: | Major error in UI! | Back to Pull Request`;
    expect(unwritten(others.split(/ \| |\n/).map((text) => text.trim()))).toEqual([]);
  });

  it('has a reason for each difference', () => {
    const rows = differences.split('\n').filter((row) => row.startsWith('| ') && !row.startsWith('| ---'));
    expect(rows.filter((row) => row.split('|').filter((cell) => cell.trim()).length !== 3)).toEqual([]);
  });
});

it('each test that a page names exists', () => {
  const named = pages.flatMap((page) =>
    nodesOf(page)
      .filter(({ type }) => type === 'code')
      .flatMap(({ literal }) => /^[\w-]+\/[\w/-]+\.(?:test|soak)\.ts$/.exec(literal ?? '')?.[0] ?? [])
      .map((file) => ({ page, file: join('test', file.replace(/^test\//, '')) })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ file }) => !existsSync(file))).toEqual([]);
});

it('docs/operations.md names each collection about people', () => {
  const table = readFileSync('docs/operations.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const named = table.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  const aboutPeople = DEFINITIONS.filter(([, { people }]) => people !== 'nobody').map(([name]) => name);
  expect(named).toEqual(expect.arrayContaining(aboutPeople));
});

/** https://docs.github.com/en/apps/github-marketplace/listing-an-app-on-github-marketplace/writing-a-listing-description-for-your-app */
describe('the listing on GitHub Marketplace', () => {
  const page = readFileSync('docs/marketplace.md', 'utf8');

  it('has images in GitHub’s sizes', () => {
    const sizeOf = (name: string) => {
      const png = readFileSync(join('docs/pictures', name));
      return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
    };
    const images = [...page.matchAll(/\(pictures\/(.+?\.png)\)/g)].map(([, name = '']) => name);
    expect(Object.fromEntries(images.map((name) => [name, sizeOf(name)]))).toEqual({
      'logo.png': '400x400',
      'feature-card.png': '965x482',
      ...Object.fromEntries(SCREENSHOTS.map((name) => [`${name}.png`, '1280x800'])),
    });
  });

  it('explains every permission, and the App asks for each that OTP Guard needs', () => {
    expect(readAppManifest().default_permissions).toEqual(NEEDED);
    for (const [name, level] of Object.entries(readAppManifest().default_permissions))
      expect(page).toContain(`| \`${name}: ${level}\``);
  });
});
const SCREENSHOTS = ['collect-passkey', 'home', 'org', 'org-policy', 'org-log'];
