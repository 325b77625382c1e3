import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as react from 'react';
import { ApiError } from '../../../web/src/lib/api-client.ts';
import { client, load, user } from './dashboard.ts';

/*
 * What a page says after an action, without a browser: a hook is called again where React would render again.
 */
let slots: unknown[] = [];
let place = 0;
const useState = (first: unknown) => {
  const mine = place++;
  if (!(mine in slots)) slots[mine] = typeof first === 'function' ? first() : first;
  const set = (next: unknown) => {
    slots[mine] = typeof next === 'function' ? next(slots[mine]) : next;
  };
  return [slots[mine], set];
};
jest.unstable_mockModule('react', () => ({
  ...react,
  useState,
  useEffect: () => undefined,
  useId: () => 'id',
}));

/** Answers a hook with what it is at now. */
const now = <Value>(hook: () => Value): Value => {
  place = 0;
  return hook();
};

const removed = jest.fn<() => Promise<void>>();
const stepUp = { refuse: jest.fn(), preferCode: false, error: null };
const posted = jest.fn<(path: string, body: unknown) => Promise<unknown>>();
jest.unstable_mockModule(`${import.meta.dirname}/../../../web/src/features/authenticators/remove.ts`, () => ({
  removeAuthenticator: removed,
}));
jest.unstable_mockModule(`${import.meta.dirname}/../../../web/src/lib/use-step-up.ts`, () => ({
  useStepUp: () => stepUp,
}));

beforeEach(() => {
  slots = [];
  jest.resetAllMocks();
  client.api = { post: posted };
});

describe('a deletion', () => {
  const authenticator = { id: 'abcdefghijklmno', userId: user.id, org: { name: 'octo-org', orgId: '9919' } };
  const byCode = { stepUp: { type: 'delete-authenticator', otp: '123456' }, madeAt: 0 };

  async function remove(failure: unknown) {
    const { useRemoval } = await load('features/authenticators/use-removal.ts');
    removed.mockRejectedValue(failure);
    const hook = () => useRemoval(authenticator);
    const done: boolean = await now<{ remove(proof: object): Promise<boolean> }>(hook).remove(byCode);
    return { done, ...now<{ mode: string; error: string | null }>(hook) };
  }

  test('that fails for no reason of the server’s falls back to the view', async () => {
    expect(await remove(new TypeError('surprise'))).toMatchObject({
      done: false,
      mode: 'view',
      error: 'Error deleting authenticator',
    });
  });

  test('that the server refuses says why, in the server’s words', async () => {
    expect(await remove(new ApiError(404, 'Invalid Authenticator ID'))).toMatchObject({
      mode: 'view',
      error: 'Invalid Authenticator ID',
    });
  });

  test('whose proof is refused goes back to the step-up', async () => {
    const refusal = new ApiError(403, 'This code is not right.');
    expect(await remove(refusal)).toMatchObject({ mode: 'stepUp', error: null });
    expect(stepUp.refuse).toHaveBeenCalledWith(refusal);
  });
});

describe('a new label', () => {
  test('that the server refuses is answered with its words', async () => {
    posted.mockRejectedValue(new ApiError(403, 'Only a security key of your own can be renamed.'));
    const { Rename } = await load('features/authenticators/rename.tsx');
    const onError = jest.fn();
    const onRenamed = jest.fn();
    const form = now<{ props: { onSubmit(event: object): void } }>(() =>
      Rename({ authenticator: { id: 'a', type: 'security-key', label: 'Blue' }, onError, onRenamed }),
    );
    form.props.onSubmit({ preventDefault: () => undefined });
    await new Promise((soon) => setImmediate(soon));
    expect(onError).toHaveBeenLastCalledWith(
      'Unable to edit authenticator: Only a security key of your own can be renamed.',
    );
    expect(onRenamed).not.toHaveBeenCalled();
  });
});

describe('a security image', () => {
  async function save(orgId: number) {
    const { useImage } = await load('features/security-image/use-image.ts');
    const hook = () => useImage({ orgId, image: null });
    await now<{ save(): Promise<void> }>(hook).save();
    return now<{ status: string; error: string | null; info: string }>(hook);
  }

  test.each([
    [0, '/personal-set-image'],
    [9919, '/github-set-image'],
  ])('is set for %i by %s', async (orgId, path) => {
    posted.mockResolvedValue({});
    expect(await save(orgId)).toMatchObject({
      status: 'awaiting',
      error: null,
      info: 'Successfully set image',
    });
    expect(posted).toHaveBeenCalledWith(path, { orgID: orgId, image: expect.anything() });
  });

  test('that the server refuses is answered with its words', async () => {
    posted.mockRejectedValue(new ApiError(403, 'Only an owner of this organization can do this.'));
    expect(await save(9919)).toMatchObject({
      status: 'awaiting',
      error: 'Only an owner of this organization can do this.',
      info: '',
    });
  });

  test('whose call fails for no reason of the server’s says what went wrong', async () => {
    posted.mockRejectedValue(new TypeError('surprise'));
    expect((await save(0)).error).toBe('Unknown error: TypeError: surprise');
  });
});

describe('an e-mail address', () => {
  const hookOf = async () => {
    const { useEmail } = await load('features/email/use-email.ts');
    return () => useEmail();
  };
  type State = {
    error: string | null;
    info: string;
    confirmation: object | null;
    request(): Promise<unknown>;
    confirm(code: string): Promise<unknown>;
    setAddress(address: string): void;
  };

  test('that is left empty is asked for, and nothing is sent', async () => {
    const hook = await hookOf();
    await now<State>(hook).request();
    expect(now<State>(hook)).toMatchObject({ error: 'E-mail address required', confirmation: null });
    expect(posted).not.toHaveBeenCalled();
  });

  test('and its code are refused in the server’s words, and the step stays', async () => {
    const hook = await hookOf();
    now<State>(hook).setAddress('octocat@example.org');
    posted.mockRejectedValueOnce(new ApiError(503, 'This server sends no e-mail.'));
    await now<State>(hook).request();
    expect(now<State>(hook)).toMatchObject({ error: 'This server sends no e-mail.', confirmation: null });

    posted.mockResolvedValueOnce({ ts: 1, sig: 'sig' });
    await now<State>(hook).request();
    posted.mockRejectedValueOnce(new ApiError(403, 'This code is not right.'));
    await now<State>(hook).confirm('000000');
    expect(now<State>(hook)).toMatchObject({
      error: 'This code is not right.',
      confirmation: { email: 'octocat@example.org' },
    });

    posted.mockResolvedValueOnce('ok');
    await now<State>(hook).confirm('123456');
    expect(now<State>(hook)).toMatchObject({ error: null, confirmation: null });
  });
});
