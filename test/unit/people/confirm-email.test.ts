import { describe, expect, it } from '@jest/globals';
import { MailRefused } from '../../../src/notices/ports.ts';
import { confirmEmail, createSignEmailCode, sendEmailCode } from '../../../src/people/email-code.ts';
import { codeOf } from '../../support/code-of.ts';
import { anImage, FakeMailer, fakeStores } from '../../support/fakes.ts';

const KEY = 'a-key-of-the-tests-of-more-than-32-characters';
const ADDRESS = 'mona@example.org';
const HOUR_MS = 60 * 60_000;
const mona = { userId: 'mona', githubId: 11, login: 'mona' };
const octocat = { userId: 'octocat', githubId: 12, login: 'octocat' };

function world() {
  const stores = fakeStores();
  const mailer = new FakeMailer(stores.stage);
  const deps = {
    ...stores,
    mailer,
    signEmail: createSignEmailCode(KEY),
    random: (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)),
  };
  for (const { userId, login } of [mona, octocat])
    deps.users.contacts.set(userId, { login, address: '', image: null });
  const w = {
    ...deps,
    send: (email = ADDRESS, session = mona) => sendEmailCode(deps, { session, email }),
    confirm: (input: { ts: number; sig: string; code: string; email?: string; session?: typeof mona }) =>
      confirmEmail(deps, { session: mona, email: ADDRESS, ...input }),
    /** The code in the newest message. */
    code: () => /\b\d{6}\b/.exec(mailer.newest())?.[0] ?? '',
    addressOf: (userId = 'mona') => deps.users.contacts.get(userId)?.address,
  };
  return w;
}

type World = ReturnType<typeof world>;
type Confirmation = Parameters<World['confirm']>[0];

/** Sends a code, and returns what a browser would send back. */
async function sent(w: World): Promise<Required<Pick<Confirmation, 'ts' | 'sig' | 'code'>>> {
  const answer = await w.send();
  return { ...answer, code: w.code() };
}

const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a code for an address', () => {
  it('is sent only to that address, and names the person', async () => {
    const w = world();
    w.users.contacts.set('mona', { login: 'mona', address: 'before@example.org', image: anImage() });
    await w.send();
    expect(w.mailer.sent).toEqual([
      {
        to: ADDRESS,
        subject: 'Your OTP Guard code',
        parts: expect.any(Array),
        org: null,
        unsubscribeUrl: null,
        image: null,
      },
    ]);
    expect(w.mailer.newest()).toMatch(
      /^\d{6} is your code\.[\s\S]*for mona at OTP Guard\. It expires in 10 minutes\./,
    );
    expect(w.addressOf()).toBe('before@example.org');
  });

  it('has six digits, even if it begins with zeros', async () => {
    const w = world();
    const codes = new Set<string>();
    for (let round = 0; round < 200; round += 1) {
      w.clock.pass(HOUR_MS);
      await w.send();
      const [first = ''] = w.mailer.newest().split(' ');
      expect(first).toMatch(/^[0-9]{6}$/);
      codes.add(first);
    }
    expect([...codes].some((code) => code.startsWith('0'))).toBe(true);
    expect(codes.size).toBeGreaterThan(190);
  });

  it('appears in no answer, no subject and no record', async () => {
    const w = world();
    const answer = await w.send();
    const code = w.code();
    expect(Object.keys(answer).sort()).toEqual(['sig', 'ts']);
    expect(answer.ts).toBe(w.clock.now().getTime());
    expect(answer.sig).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify([answer.sig, w.mailer.sent[0]?.subject])).not.toContain(code);
    const [stored] = w.emailCodes.stored;
    expect(Object.keys(stored ?? {}).sort()).toEqual(
      ['email', 'expires', 'id', 'nonce', 'orgId', 'sig', 'ts', 'userId'].sort(),
    );
    expect([stored?.email, stored?.userId]).toEqual([ADDRESS, 'mona']);
  });

  it('is not sent without a mail server, and uses up no slot', async () => {
    const w = world();
    const asked = sendEmailCode({ ...w, mailer: null }, { session: mona, email: ADDRESS });
    expect([await codeOf(asked), w.stage.calls]).toEqual(['mailNotSetUp', []]);
  });
});

describe('the number of codes', () => {
  it('is at most three an hour for one person, to any addresses', async () => {
    const w = world();
    for (const name of ['a', 'b', 'c']) expect(await codeOf(w.send(`${name}@example.org`))).toBe('passes');
    expect([await codeOf(w.send('d@example.org')), w.mailer.sent.length]).toEqual(['tooManyMails', 3]);
    expect(await codeOf(w.send('d@example.org', octocat))).toBe('passes');
  });

  it('is at most three an hour to one address, for any person and in any spelling', async () => {
    const w = world();
    const people = ['a', 'b', 'c', 'd'].map((login, at) => ({ userId: login, githubId: at, login }));
    const spellings = [ADDRESS, 'Mona@Example.org', 'MONA@EXAMPLE.ORG', 'mona@EXAMPLE.org'];
    const outcomes: unknown[] = [];
    for (const [at, person] of people.entries()) outcomes.push(await codeOf(w.send(spellings[at], person)));
    expect(outcomes).toEqual(['passes', 'passes', 'passes', 'tooManyMails']);
  });

  it('is not reduced for the person by a refusal for the address', async () => {
    const w = world();
    for (const login of ['a', 'b', 'c']) await w.send(ADDRESS, { userId: login, githubId: 1, login });
    for (let tries = 0; tries < 5; tries += 1) expect(await codeOf(w.send())).toBe('tooManyMails');
    for (const name of ['x', 'y', 'z']) expect(await codeOf(w.send(`${name}@example.org`))).toBe('passes');
  });

  it('is refused with the time of the next try, which then works', async () => {
    const w = world();
    await w.send();
    w.clock.pass(20 * 60_000);
    await w.send();
    await w.send();
    await expect(w.send()).rejects.toMatchObject({
      code: 'tooManyMails',
      status: 429,
      message: 'Too many e-mails. Try again in 40 minutes.',
      retryAfter: 40 * 60,
    });
    w.clock.pass(40 * 60_000 - 1);
    await expect(w.send()).rejects.toMatchObject({
      message: 'Too many e-mails. Try again in a minute.',
      retryAfter: 1,
    });
    w.clock.pass(1);
    expect(await codeOf(w.send())).toBe('passes');
    expect(await codeOf(w.send())).toBe('tooManyMails');
  });

  it('is not reduced if the mail server fails', async () => {
    const w = world();
    w.stage.fail('mailer.send', new Error('connection lost'), { times: 10 });
    for (let tries = 0; tries < 10; tries += 1) expect(await codeOf(w.send())).toBe('mailFailed');
    expect(w.quota.taken).toEqual([]);
    expect(await codeOf(w.send())).toBe('passes');
    expect(w.quota.taken.map(({ key }) => key).sort()).toEqual(['mail:mona', `mail:${ADDRESS}`]);
  });

  it('is reduced if the mail server refuses the address, so that nobody can try addresses without end', async () => {
    const w = world();
    w.stage.fail('mailer.send', new MailRefused('no such mailbox'), { times: 10 });
    const outcomes: unknown[] = [];
    for (let tries = 0; tries < 5; tries += 1) outcomes.push(await codeOf(w.send()));
    expect(outcomes).toEqual(['mailRefused', 'mailRefused', 'mailRefused', 'tooManyMails', 'tooManyMails']);
  });
});

describe('the confirmation of an address', () => {
  it('stores the address, and sends a message to it and to the previous one', async () => {
    const w = world();
    w.users.contacts.set('mona', { login: 'mona', address: 'before@example.org', image: null });
    await w.confirm(await sent(w));
    expect(w.addressOf()).toBe(ADDRESS);
    expect(w.users.notices).toMatchObject([
      { kind: 'addressConfirmed', to: ADDRESS },
      { kind: 'addressReplaced', to: 'before@example.org' },
    ]);
  });

  it.each<[string, (right: Awaited<ReturnType<typeof sent>>) => Confirmation, string]>([
    ['another code', (right) => ({ ...right, code: another(right.code) }), 'wrongEmailCode'],
    ['another time, a millisecond on', (right) => ({ ...right, ts: right.ts + 1 }), 'emailCodeUnknown'],
    ['another address', (right) => ({ ...right, email: 'mallory@example.org' }), 'emailCodeUnknown'],
    ['the address in capitals', (right) => ({ ...right, email: ADDRESS.toUpperCase() }), 'emailCodeUnknown'],
    ['another person', (right) => ({ ...right, session: octocat }), 'emailCodeUnknown'],
    ['another signature', (right) => ({ ...right, sig: 'A'.repeat(43) }), 'emailCodeUnknown'],
  ])('is refused with %s', async (_what, change, code) => {
    const w = world();
    const right = await sent(w);
    expect(await codeOf(w.confirm(change(right)))).toBe(code);
    expect([w.addressOf(), w.addressOf('octocat')]).toEqual(['', '']);
  });

  it.each([
    [10 * 60_000 - 1, 'passes'],
    [10 * 60_000, 'emailCodeUnknown'],
  ])('ends after %d ms with: %s', async (ms, outcome) => {
    const w = world();
    const right = await sent(w);
    w.clock.pass(ms);
    expect(await codeOf(w.confirm(right))).toBe(outcome);
  });

  it('has five tries: the fifth may be right, and the sixth is not checked', async () => {
    const four = world();
    const right = await sent(four);
    for (let tries = 0; tries < 4; tries += 1)
      expect(await codeOf(four.confirm({ ...right, code: another(right.code) }))).toBe('wrongEmailCode');
    expect(await codeOf(four.confirm(right))).toBe('passes');

    const five = world();
    const late = await sent(five);
    for (const triesLeft of [4, 3, 2, 1, 0])
      await expect(five.confirm({ ...late, code: another(late.code) })).rejects.toMatchObject({
        code: 'wrongEmailCode',
        triesLeft,
      });
    // A new code can be requested immediately, so this is no 429 with a time to wait.
    await expect(five.confirm(late)).rejects.toMatchObject({ code: 'tooManyEmailCodes', status: 403 });
    expect(five.addressOf()).toBe('');
  });

  it('does not count tries for another person or address', async () => {
    const w = world();
    const right = await sent(w);
    for (let tries = 0; tries < 9; tries += 1) {
      await codeOf(w.confirm({ ...right, session: octocat }));
      await codeOf(w.confirm({ ...right, email: 'mallory@example.org' }));
    }
    expect(await codeOf(w.confirm(right))).toBe('passes');
  });

  it('works once', async () => {
    const w = world();
    const right = await sent(w);
    await w.confirm(right);
    expect([await codeOf(w.confirm(right)), w.users.notices.length]).toEqual(['emailCodeUnknown', 1]);
  });

  it('changes nothing if any call of the record store fails', async () => {
    const plain = world();
    const right = await sent(plain);
    plain.stage.calls.splice(0);
    await plain.confirm(right);
    const calls = [...plain.stage.calls];
    expect(calls).toHaveLength(5);
    for (const call of calls) {
      const w = world();
      const begun = await sent(w);
      w.stage.fail(call, 'storeUnavailable');
      expect([call, await codeOf(w.confirm(begun))]).toEqual([call, 'storeUnavailable']);
      expect([call, w.addressOf()]).toEqual([call, '']);
    }
  });
});

describe('the signature of a code', () => {
  const parts = { userId: 'u', email: 'a@example.org', orgId: 0, ts: 1, nonce: 'n', code: '000000' };

  it('differs with each part, with the position at which a part ends, and with the server’s key', () => {
    const sign = createSignEmailCode(KEY);
    const all = [
      parts,
      { ...parts, userId: 'v' },
      { ...parts, email: 'b@example.org' },
      { ...parts, orgId: 9 },
      { ...parts, ts: 2 },
      { ...parts, nonce: 'm' },
      { ...parts, code: '000001' },
      { ...parts, userId: 'ua', email: '@example.org' },
      { ...parts, ts: 11, nonce: '' },
    ].map(sign);
    all.push(createSignEmailCode('another-key-of-more-than-32-characters-here')(parts));
    expect(new Set(all).size).toBe(all.length);
    for (const signature of all) expect(signature).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});
