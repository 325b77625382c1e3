import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

it('the benchmarks import what the product has', () => {
  const files = readdirSync('bench').filter((name) => name.endsWith('.js'));
  const imports = files.flatMap((name) => [
    ...readFileSync(`bench/${name}`, 'utf8').matchAll(/^import \{([^}]+)\} from '\.\.\/dist\/(.+)\.js';$/gm),
  ]);
  const missing = imports.flatMap(([, names = '', path = '']) => {
    const source = existsSync(`src/${path}.ts`) ? readFileSync(`src/${path}.ts`, 'utf8') : '';
    const wanted = names.split(',').map((name) => name.trim().split(' as ')[0] ?? '');
    return wanted
      .filter(
        (name) => name && !new RegExp(`^export (async )?(function|const|class) ${name}\\b`, 'm').test(source),
      )
      .map((name) => `${path}: ${name}`);
  });
  expect(imports.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
