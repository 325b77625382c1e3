import { describe, expect, it } from '@jest/globals';
import type { Json } from '../support/fixtures.ts';
import { bot, github } from './fresh-bot.ts';

const logged = () => bot.lines.map((line) => JSON.parse(line)).find(({ event }) => event === EVENT);
const EVENT = 'marketplace_purchase';
const account = { id: 38302899, login: 'Octocoders', type: 'Organization' };

describe('a purchase on GitHub Marketplace', () => {
  it.each([
    ['purchased', { plan: 'Basic Plan' }, 'took a plan'],
    ['changed', { plan: 'Premium Plan', planBefore: 'Basic Plan' }, 'changed its plan'],
    ['cancelled', { plan: 'Premium Plan' }, 'cancelled its plan'],
    [
      'pending_change',
      { plan: 'Basic Plan', planBefore: 'Premium Plan', effective: '2017-11-05T00:00:00+00:00' },
      'will change',
    ],
    ['pending_change_cancelled', { plan: 'Premium Plan' }, 'will not change'],
  ])('is logged for the operator, and nothing else: %s', async (action, facts, sentence) => {
    expect(await bot.deliver(`${EVENT}.${action}`)).toBe('accepted');
    expect(logged()).toMatchObject({ action, account, ...facts, msg: expect.stringContaining(sentence) });
    expect(bot.lines.join('')).not.toMatch(/@|webhook failed/);
    expect([github.sent, [...bot.deliveries.worked.values()]]).toEqual([[], [EVENT]]);
  });

  it('is logged with a sentence even if GitHub adds an action', async () => {
    const change = (payload: Json) => Object.assign(payload, { action: 'paused' });
    await bot.deliver(`${EVENT}.changed`, { change });
    expect(logged()).toMatchObject({ action: 'paused', msg: expect.stringContaining('something new') });
  });
});
