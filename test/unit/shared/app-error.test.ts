import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type ProblemCode, problems } from '../../../src/contract/problems.ts';
import { AppError } from '../../../src/shared/app-error.ts';

describe('an error that a person reads', () => {
  it('has a status that fits, and one short sentence without the words of developers', () => {
    const jargon =
      /\b(null|undefined|exception|stack|PocketBase|Octokit|Probot|JWT|CBOR|nonce|payload|[45]\d\d)\b/;
    for (const code of Object.keys(problems) as ProblemCode[]) {
      const { status, message } = new AppError(code);
      expect([code, [400, 401, 403, 404, 409, 413, 415, 429, 500, 502, 503].includes(status)]).toEqual([
        code,
        true,
      ]);
      expect([code, message]).toEqual([code, expect.stringMatching(/^[^\n{}<>$%`]{10,120}$/)]);
      expect([code, message]).toEqual([code, expect.not.stringMatching(jargon)]);
    }
  });

  it('has a sentence that no other code has, so that a code says no more than its sentence', () => {
    const sentences = Object.values(problems).map(([, sentence]) => sentence);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it('stands in the list among those of its status', () => {
    const statuses = Object.values(problems).map(([status]) => status);
    expect(statuses).toEqual([...statuses].sort());
  });

  it('is thrown somewhere', () => {
    const texts = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== 'contract/problems.ts')
      .map((file) => readFileSync(`src/${file}`, 'utf8'))
      .join('\n');
    const dead = Object.keys(problems).filter((code) => !texts.includes(`'${code}'`));
    expect(dead).toEqual([]);
  });

  it('keeps its cause for the log, and out of its sentence', () => {
    const cause = new Error('the token ghu_secret was refused');
    const error = new AppError('githubUnavailable', { cause });
    expect(error.cause).toBe(cause);
    expect(`${error.message}${error.name}${JSON.stringify(error)}`).not.toContain('ghu_secret');
  });
});
