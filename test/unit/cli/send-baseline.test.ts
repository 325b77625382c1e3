import { afterAll, expect, it } from '@jest/globals';
import nock from 'nock';
import type { FoundOrganization } from '../../../src/cli/read-organization.ts';
import { sendBaseline } from '../../../src/cli/send-baseline.ts';
import { protectionBaseline } from '../../../src/contract/protection.ts';
import { BODY_LIMIT } from '../../../src/http/limits.ts';
import { aRule } from '../../support/fakes.ts';

afterAll(() => nock.restore());

it('sends long bypass lists in parts that the server takes, each once', async () => {
  const actor = (id: number) => ({ type: 'team', id, name: 'é'.repeat(100), mode: 'always' }) as const;
  const bypass = Array.from({ length: 90 }, (_, id) => actor(id));
  const updated = '2026-05-04T12:00:00Z';
  const rulesets = [
    ...Array.from({ length: 9 }, (_, id) => aRule({ id: id + 1, bypass, updated })),
    ...Array.from({ length: 700 }, (_, id) => aRule({ id: id + 10, updated })),
  ];
  const protection = { defaultBranch: 'main', rulesets, branchProtection: [], deployKeys: [] };
  const read = { org: 'octo-org', orgId: 9, repositories: [{ name: 'hello', protection, idle: [] }] };
  const taken: number[] = [];
  nock('https://guard.example.org')
    .post('/protection-baseline', (body) => {
      const part = protectionBaseline.parse(body);
      taken.push(...part.rulesets.map(({ id }) => id));
      return Buffer.byteLength(JSON.stringify(body)) <= BODY_LIMIT;
    })
    .times(20)
    .reply(200, { filled: 1 });
  const sender = { url: new URL('https://guard.example.org/protection-baseline'), session: 's' };
  const { rulesets: sent } = await sendBaseline(sender, read as unknown as FoundOrganization);
  nock.cleanAll();
  expect([sent, taken]).toEqual([709, rulesets.map(({ id }) => id)]);
});
