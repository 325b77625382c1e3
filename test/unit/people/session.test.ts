import { describe, expect, it } from '@jest/globals';
import { createTokenChecks, requirePerson, requireSession } from '../../../src/people/session.ts';
import { codeOf } from '../../support/code-of.ts';
import { FakeClock, FakeSessions, FakeUserTokens, Stage } from '../../support/fakes.ts';

const mona = { id: 11, login: 'mona', avatarUrl: 'https://avatars.example/mona' };
const session = { userId: 'record', githubId: 11, login: 'mona-before' };

describe('the session of a request', () => {
  const sessions = () => {
    const fake = new FakeSessions(new Stage());
    fake.open.set('good', session);
    return fake;
  };

  it.each(['good', 'BEARER   good', ' good '])('is read from “%s”', async (header) => {
    expect(await requireSession(sessions(), header)).toEqual(session);
  });

  it.each([
    ['nothing', undefined],
    ['a scheme alone', 'Bearer '],
    ['another token', 'bad'],
    ['another scheme', 'Basic good'],
    ['a token that is too long', 'x'.repeat(5000)],
  ])('is missing in %s', async (_what, header) => {
    const fake = sessions();
    expect(await codeOf(requireSession(fake, header))).toBe('missingAuthToken');
  });

  it('is an error, not missing, if the record store does not answer', async () => {
    const fake = sessions();
    fake.stage.fail('sessions.read', 'storeUnavailable');
    expect(await codeOf(requireSession(fake, 'good'))).toBe('storeUnavailable');
  });
});

describe('the check of a GitHub token', () => {
  function world() {
    const tokens = new FakeUserTokens(new Stage());
    tokens.owners.set('ghu_monas', mona);
    const clock = new FakeClock();
    const asked = () => tokens.stage.calls.length;
    const checks = createTokenChecks(tokens, clock);
    return { tokens, clock, asked, checks, check: (token: string) => checks(token, 'aaaaaaaaaaaaaaa') };
  }

  it('asks GitHub once a minute for each token', async () => {
    const { check, clock, asked } = world();
    expect(await check('ghu_monas')).toEqual(mona);
    clock.pass(59_999);
    expect([await check('ghu_monas'), asked()]).toEqual([mona, 1]);
    clock.pass(1);
    await check('ghu_monas');
    expect(asked()).toBe(2);
  });

  it('refuses a person for a minute after twenty wrong tokens', async () => {
    const { check, checks, clock, asked } = world();
    for (let tries = 0; tries < 20; tries += 1) expect(await check(`ghu_none${tries}`)).toBeNull();
    expect([await codeOf(check('ghu_one_more')), asked()]).toEqual(['tooManyRequests', 20]);
    expect(await checks('ghu_monas', 'bbbbbbbbbbbbbbb')).toEqual(mona);
    clock.pass(60_000);
    expect(await check('ghu_monas')).toEqual(mona);
  });

  it('does not cache a refusal', async () => {
    const { check, tokens, asked } = world();
    expect(await check('ghu_new')).toBeNull();
    tokens.owners.set('ghu_new', mona);
    expect([await check('ghu_new'), asked()]).toEqual([mona, 2]);
  });

  it('does not cache a failure', async () => {
    const { check, tokens } = world();
    tokens.stage.fail('userTokens.check', 'githubUnavailable');
    expect(await codeOf(check('ghu_monas'))).toBe('githubUnavailable');
    expect(await check('ghu_monas')).toEqual(mona);
  });
});

describe('the person of a request', () => {
  const check = async (token: string) => (token === 'ghu_monas' ? mona : null);

  it('is the person that GitHub names, with the current login', async () => {
    expect(await requirePerson(check, session, 'ghu_monas')).toEqual({
      userId: 'record',
      githubId: 11,
      login: 'mona',
      avatarUrl: 'https://avatars.example/mona',
    });
  });

  it.each([
    ['without a token', undefined, session, 'missingAuthToken'],
    ['with a token of nobody', 'ghu_nobodys', session, 'notAuthorizedWithGitHub'],
    ['with the token of another', 'ghu_monas', { ...session, githubId: 12 }, 'otherGitHubAccount'],
    ['with a session of nobody', 'ghu_monas', { ...session, githubId: 0 }, 'otherGitHubAccount'],
  ])('is refused %s', async (_what, token, whose, code) => {
    expect(await codeOf(requirePerson(check, whose, token))).toBe(code);
  });
});
