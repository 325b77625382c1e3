import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ApprovalParamsAnswer } from '../../src/contract/approvals.ts';
import type { DenyParamsAnswer } from '../../src/contract/denials.ts';
import { orgOf, proofBy, registerPasskey, setRole } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import {
  approveByKey,
  type OwnProduct,
  type Pull,
  type Session,
  startTestProduct,
  targetOf,
  until,
} from '../support/product.ts';

const REASON = 'It drops a table: <b>users</b> 🗑️';

let product: OwnProduct;
let mona: Session;
let octocat: Session;
let monasKey: SoftwareAuthenticator;
let octocatsKey: SoftwareAuthenticator;
let pull: Pull;

beforeAll(async () => {
  product = await startTestProduct({ waits: { retryEveryMs: 500 } });
  [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
  monasKey = await registerPasskey(product, mona);
  octocatsKey = await registerPasskey(product, octocat);
  pull = await product.pendingPull();
});
afterAll(() => product?.stop());

async function deny(reason: string): Promise<void> {
  const params = targetOf(product, pull);
  const { accessToken } = mona;
  const asked = await product.call('/deny-params', { ...params, reason, accessToken }, mona);
  const authResponse = monasKey.get(asked.json<DenyParamsAnswer>().options);
  const denied = await product.call('/deny', { params, reason, authResponse, accessToken }, mona);
  expect(denied.json()).toMatchObject({ reported: true });
}

const read = async () =>
  (await product.call('/github-check-webauthn-params', { ...targetOf(product, pull) }, octocat)).json<
    Pick<ApprovalParamsAnswer, 'denials' | 'maySetAside' | 'needs' | 'story'>
  >();
const shown = async () =>
  (await product.runs(pull.head.sha)).reduce((newest, run) => (run.id > newest.id ? run : newest));

it('says no on GitHub although the head is approved, until an owner sets the denial aside', async () => {
  await approveByKey(product, octocat, octocatsKey, pull);
  await deny(REASON);
  expect(await shown()).toMatchObject({ status: 'completed', conclusion: 'action_required' });
  const { denials, maySetAside, needs } = await read();
  expect([maySetAside, needs]).toEqual([true, `mona denied this commit: ${REASON}`]);
  expect(denials).toMatchObject([{ login: 'mona', method: 'passkey', reason: REASON, isYours: false }]);

  const denialID = denials[0]?.id ?? '';
  const stepUp = await proofBy(product, octocat, octocatsKey, { type: 'set-aside-denial', denialID });
  const { accessToken } = octocat;
  const body = { ...orgOf(product), denial: denialID, reason: 'It was planned.', stepUp, accessToken };
  const setAside = () => product.call('/set-aside-denial', body, octocat);
  expect((await setAside()).json()).toEqual({ reported: true });
  expect((await setAside()).status).toBe(404);
  expect(await shown()).toMatchObject({ conclusion: 'success' });
});

it('ends when its person leaves the organization', async () => {
  const longest = `${'🔑'.repeat(498)}|*`;
  await deny(longest);
  expect(await shown()).toMatchObject({ conclusion: 'action_required' });
  expect((await read()).denials).toMatchObject([{ reason: longest }]);
  await setRole(product, 'mona', null);
  await until('the denial to end', async () => (await shown()).conclusion === 'success');
  const { denials, story } = await read();
  expect([denials, story.denials.map(({ withdrawn }) => withdrawn !== null)]).toEqual([[], [true, true]]);
});
