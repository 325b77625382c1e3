import { describe, expect, it } from '@jest/globals';
import { registerTotp } from '../../../src/authenticators/register/register-totp.ts';
import type { StepUp } from '../../../src/contract/step-up.ts';
import { CodeApp, SoftwareAuthenticator } from '../../support/authenticator.ts';
import { codeOf } from '../../support/code-of.ts';
import { aCredential } from '../../support/fakes.ts';
import { world as emptyWorld, mona, ORIGIN } from './world.ts';

async function world() {
  const deps = await emptyWorld();
  const app = new CodeApp();
  const right = app.codeAt(deps.clock.now().getTime());
  const register = (change: { totpSecret?: string; totpValue?: string; stepUp?: StepUp } = {}) => {
    const input = { person: mona, orgID: 9, totpSecret: app.base32, totpValue: right, ...change };
    return codeOf(registerTotp(deps, input));
  };
  const hasKey = () =>
    deps.credentials.stored.push(
      aCredential(new SoftwareAuthenticator(ORIGIN), { orgRecordId: deps.org.id }),
    );
  const wrong = app.wrongCodeAt(deps.clock.now().getTime());
  return { ...deps, wrong, register, hasKey };
}

/** A proof of the right form that proves nothing. */
const BOGUS = {
  type: 'register-authenticator',
  webauthn: new SoftwareAuthenticator(ORIGIN).get({ challenge: 'AAAA' }),
} as unknown as StepUp;

describe('an authenticator app', () => {
  it.each([
    ['no proof', undefined, 'stepUpRequired'],
    ['a bogus proof', BOGUS, 'challengeUnknown'],
    ['a proof of another action', { ...BOGUS, type: 'delete-authenticator' } as StepUp, 'otherStepUp'],
  ])('beside another authenticator is refused with %s: a stolen session adds none', async (...row) => {
    const [, stepUp, code] = row;
    const w = await world();
    w.hasKey();
    expect([await w.register(stepUp && { stepUp }), w.totpApps.stored]).toEqual([code, []]);
  });

  it('is refused with a wrong code, before a proof is used up', async () => {
    const w = await world();
    w.hasKey();
    expect(await w.register({ totpValue: w.wrong, stepUp: BOGUS })).toBe('wrongCode');
    expect(w.stage.calls).not.toContain('challenges.find');
  });

  it('is refused with a guessable secret', async () => {
    const w = await world();
    expect([await w.register({ totpSecret: 'AAAA' }), w.totpApps.stored]).toEqual(['weakSecret', []]);
  });

  it('is refused if there is another one, before a proof is used up', async () => {
    const w = await world();
    expect(await w.register()).toBe('passes');
    expect(await w.register({ stepUp: BOGUS })).toBe('alreadyRegistered');
    expect(w.stage.calls).not.toContain('challenges.find');
  });

  it.each(['known', 'notFirst'] as const)('is refused if the record store answers “%s”', async (answer) => {
    const w = await world();
    w.totpApps.add = async () => answer as never;
    expect(await w.register()).toBe(answer === 'known' ? 'alreadyRegistered' : 'stepUpRequired');
  });
});
