import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

const DECLARES = new Set(['describe', 'it', 'test']);

/** Every test's titles, joined by ` > `, with the file that declares it, as `title<tab>path`. Templates stay text. */
export function testTitles(root) {
  const files = readdirSync(join(root, 'test'), { recursive: true }).filter((name) => /\.tsx?$/.test(name));
  return files
    .flatMap((name) => titlesIn(readFileSync(join(root, 'test', name), 'utf8'), `test/${name}`))
    .sort();
}

function titlesIn(text, path) {
  const found = [];
  const visit = (node, above) => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one, above);
      return;
    }
    if (typeof node?.type !== 'string') return;
    const name = node.type === 'CallExpression' ? declares(node) : undefined;
    const titles = name ? [...above, titleOf(node.arguments[0], text)] : above;
    if (name && name !== 'describe') found.push(`${titles.join(' > ')}\t${path}`);
    for (const value of Object.values(node)) if (typeof value === 'object') visit(value, titles);
  };
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }).body, []);
  return found;
}

/** `it` of `it('…', …)`, `it.skip('…', …)` and `it.each(…)('…', …)`; undefined for the call of `it.each(…)` itself. */
function declares({ callee, arguments: given }) {
  if (given.length < 2) return undefined;
  if (callee.type === 'MemberExpression' && callee.property.name === 'each') return undefined;
  let node = callee;
  while (node.type !== 'Identifier') {
    node = node.type === 'CallExpression' ? node.callee : (node.tag ?? node.object);
    if (!node) return undefined;
  }
  return DECLARES.has(node.name) ? node.name : undefined;
}

function titleOf(node, text) {
  if (node.type === 'Literal') return String(node.value);
  const source = text.slice(node.start, node.end);
  return node.type === 'TemplateLiteral' ? source.slice(1, -1) : `\${${source.replace(/\s+/g, ' ')}}`;
}
