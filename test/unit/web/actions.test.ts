import { describe, expect, jest, test } from '@jest/globals';
import { ErrorBoundary } from '../../../web/src/app/app.tsx';
import { NO_ANSWER } from '../../../web/src/lib/api/api-client.ts';
import { anAnswer, target } from './approval-fixture.ts';
import {
  alertText,
  dashboard,
  fireEvent,
  json,
  type Network,
  type NetworkAnswer,
  refusal,
  screen,
  waitFor,
} from './dashboard.ts';
import { plugInPasskey } from './fake-passkey.ts';
import { record } from './fixtures.ts';

/* How pages handle the answer to an action. The stories in test/e2e show the actions that succeed. */

const open = dashboard();
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });

const wrong = refusal('wrongCode', { detail: "That code isn't right.", triesLeft: 3 });

/** The sentence describes the field, which is empty and has the focus; nothing else on the page says it. */
async function expectAtField(label: string, sentence = "That code isn't right. 3 tries left.") {
  expect((await screen.findByRole('alert')).textContent).toBe(sentence);
  const field = screen.getByLabelText(label);
  expect([field, document.activeElement]).toEqual([expect.objectContaining({ value: '' }), field]);
  const note = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  expect(note?.textContent).toBe(sentence);
  expect(field.getAttribute('aria-invalid')).toBe('true');
}

describe('the deletion of an authenticator', () => {
  const id = 'abcdefghijklmno';
  const path = `/api/collections/totps/records/${id}`;
  const totp = { id, user_id: record.id, created: '2026-05-04 09:14:03.123Z' };
  const stored = { ...totp, expand: { org_id: { org_id: 9919, name: 'octo-org' } } };
  const person = { ...record, authenticators: { 9919: { totp: true, webauthn: [] } } };

  async function begin(network: Network) {
    const page = open(`/authenticator/totp/${id}`, {
      person,
      network: { [`GET ${path}`]: json(stored), ...network },
    });
    await press('Delete Authenticator');
    return page;
  }
  async function remove(network: Network) {
    const page = await begin(network);
    await type('One-time code', '123456');
    return page;
  }

  test('sends the code as the proof of this deletion only', async () => {
    const { requests } = await remove({ [`DELETE ${path}`]: () => new Response(null, { status: 204 }) });
    await screen.findByRole('heading', { name: 'My Authenticators' });
    const sent = requests.find(({ call }) => call === `DELETE ${path}`);
    const proof = { type: 'delete-authenticator', authenticatorID: id, otp: '123456' };
    expect(JSON.parse(sent?.headers.get('X-Step-Up') ?? '')).toEqual(proof);
  });

  test.each([
    ['', '2026-05-04T09:14:03.123Z', 'This withdraws 2 approvals made with it.'],
    ['2026-05-05T10:00', new Date('2026-05-05T10:00').toISOString(), 'made with it since then.'],
  ])('withdraws everything made with a lost one, unless its holder enters a time: %j', async (...loss) => {
    const [entered, since, says] = loss;
    const { requests } = await begin({
      'POST /lost-approvals': json({ approvals: 2, others: 0, openPulls: 1 }),
      [`DELETE ${path}`]: () => new Response(null, { status: 204 }),
    });
    fireEvent.click(await screen.findByLabelText('It was lost or stolen'));
    expect(await screen.findByLabelText('Since when')).toHaveProperty('value', '');
    if (entered) await type('Since when', entered);
    await screen.findByText(says, { exact: false });
    await type('One-time code', '123456');
    await screen.findByRole('heading', { name: 'My Authenticators' });
    const sent = requests.find(({ call }) => call === `DELETE ${path}`);
    expect(sent?.headers.get('X-Lost-Since')).toBe(since);
  });

  test('goes back to the authentication with the server’s sentence if the proof is refused', async () => {
    await remove({ [`DELETE ${path}`]: wrong });
    await expectAtField('One-time code');
  });

  test('goes back to the view with the server’s sentence after any other refusal', async () => {
    await remove({ [`DELETE ${path}`]: refusal('authenticatorNotFound') });
    expect(await alertText()).toBe("There's no such authenticator, or it isn't one of yours.");
    screen.getByRole('heading', { name: 'Edit Authenticator' });
    expect(screen.queryByLabelText('One-time code')).toBeNull();
  });

  test('disables the code field while the server has locked codes', async () => {
    await remove({
      [`DELETE ${path}`]: refusal('tooManyCodes', { detail: 'Too many wrong codes.', retryAfter: 300 }),
    });
    expect(await alertText()).toBe('Too many wrong codes.');
    expect(await screen.findByLabelText('One-time code')).toHaveProperty('disabled', true);
  });
});

test('a wrong code is explained at its field, where a phone shows it, with the tries that are left', async () => {
  await openCodePage(wrong);
  await type('One-time code', '123456');
  await expectAtField('One-time code');
  // The next one is sent like the first.
  await type('One-time code', '654321');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  await expectAtField('One-time code');
});

describe('the button of a ceremony', () => {
  /** An answer that comes when the test lets it. */
  const held = () => {
    let answer = (_response: Response) => {};
    const promise = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    return { answer, promise: () => promise };
  };
  const button = (name: string) => screen.findByRole('button', { name });

  test('says that the approval is sent once the person touched their passkey', async () => {
    const sent = held();
    await openApproval('/collect-passkey', { 'POST /github-check-webauthn': sent.promise });
    const { touch, unplug } = plugInPasskey();
    fireEvent.click(await button('Approve with passkey'));
    await button('Waiting for your passkey');
    touch();
    expect((await button('Approving')).getAttribute('aria-disabled')).toBe('true');
    sent.answer(refusal('githubUnavailable')());
    await button('Try again with passkey');
    unplug();
  });

  test('keeps its place and the focus if the prompt is closed, and says so directly above it', async () => {
    await openApproval('/collect-passkey', {});
    const { cancel, unplug } = plugInPasskey();
    const pressed = await button('Approve with passkey');
    const room = pressed.previousElementSibling;
    pressed.focus();
    fireEvent.click(pressed);
    await button('Waiting for your passkey');
    cancel();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(
      'Authentication was not completedYou closed the prompt, or it timed out. Nothing was approved.',
    );
    expect(alert.parentElement).toBe(room);
    expect(document.activeElement).toBe(pressed);
    expect(pressed.textContent).toBe('Approve with passkey');
    unplug();
  });

  test('comes back when the challenge ends, if the prompt never does', async () => {
    await openApproval('/collect-passkey', {});
    const { unplug } = plugInPasskey();
    jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate'] });
    try {
      fireEvent.click(await button('Approve with passkey'));
      await button('Waiting for your passkey');
      await jest.advanceTimersByTimeAsync(60_000);
    } finally {
      jest.useRealTimers();
      unplug();
    }
    expect((await screen.findByRole('alert')).textContent).toMatch(/it timed out\. Nothing was approved\.$/);
    expect((await button('Approve with passkey')).getAttribute('aria-busy')).toBeNull();
  });

  test('says so for a proof too, before and after the touch', async () => {
    const id = 'abcdefghijklmno';
    const key = { id, type: 'passkey', label: 'Laptop', user: record.id, expand: { org: { org_id: 9919 } } };
    const [challenge, deletion] = [held(), held()];
    open(`/authenticator/passkey/${id}`, {
      network: {
        [`GET /api/collections/webauthn/records/${id}`]: json(key),
        'POST /webauthn-challenge': challenge.promise,
        [`DELETE /api/collections/webauthn/records/${id}`]: deletion.promise,
      },
    });
    const { touch, unplug } = plugInPasskey();
    await press('Delete Authenticator');
    await press('Confirm with passkey');
    await button('Confirming');
    challenge.answer(Response.json({ options: { challenge: 'AA' } }));
    await button('Waiting for your passkey');
    touch();
    await screen.findByText('deleting authenticator');
    deletion.answer(new Response(null, { status: 204 }));
    expect(await screen.findByRole('heading', { name: 'My Authenticators' })).not.toBeNull();
    unplug();
  });
});

test('what isn’t about the code stands at its field too, above its own button, if the same code can be sent again', async () => {
  await openCodePage(refusal('githubUnavailable'));
  await type('One-time code', '123456');
  expect(await alertText()).toMatch(/^GitHub didn't answer/);
  expect(screen.getByRole('alert').closest('form')).not.toBeNull();
  await screen.findByRole('button', { name: 'Try again with code' });
});

test('a refusal after which the code has no use takes the place of its form, and the focus', async () => {
  await openCodePage(refusal('baseMoved'));
  await type('One-time code', '123456');
  await screen.findByRole('button', { name: 'Try again' });
  expect(screen.getByRole('alert')).toBe(document.activeElement);
});

test('a used code is counted down to the next one, and then the field is ready', async () => {
  await openCodePage(refusal('usedCode', { retryAfter: 1 }));
  await type('One-time code', '123456');
  expect(await alertText()).toMatch(/already used/);
  await screen.findByText(/^You can enter a code again in /);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('One-time code')));
});

/** Opens the approval page for a code; `answer` is what the server says to each. */
const openCodePage = (answer: NetworkAnswer) =>
  openApproval('/collect-totp', { 'POST /github-totp-check': answer });

async function openApproval(path: string, network: Network) {
  open(`${path}?${new URLSearchParams(target)}`, {
    network: { 'POST /github-check-webauthn-params': json(await anAnswer()), ...network },
  });
  await screen.findByText('Add a greeting');
}

test('a label that the server refuses stays in the field, under the server’s sentence', async () => {
  const id = 'abcdefghijklmno';
  const key = { id, type: 'security-key', label: 'Blue', user: record.id, expand: { org: { org_id: 9919 } } };
  open(`/authenticator/security-key/${id}`, {
    network: {
      [`GET /api/collections/webauthn/records/${id}`]: json(key),
      'POST /github-edit-authenticator': refusal('labelReadOnly'),
    },
  });
  await type('Label', 'Green');
  await press('Save label');
  expect(await alertText()).toBe('Unable to edit authenticator: You can only rename your own security keys.');
  expect(await screen.findByLabelText('Label')).toHaveProperty('value', 'Green');
});

describe('a security image', () => {
  const ofOrganization = '/org/image?owner=octo-org&ownerID=9919';

  test('is not reported as set if the server refuses it', async () => {
    const refused = refusal('notOwner');
    open(ofOrganization, { network: { 'POST /github-set-image': refused } });
    await press('Set image');
    expect(await alertText()).toBe('Only an owner of this organization can do this.');
    expect(screen.queryByText('Successfully set image')).toBeNull();
  });
});

describe('a new e-mail address', () => {
  const person = { ...record, email: '' };
  const confirmed = { 'POST /github-precheck-email': json({ ts: 1, sig: 'sig' }) };

  test('is not sent if the field is empty', async () => {
    const { requests } = open('/email', { person, network: confirmed });
    await press('Set E-Mail');
    expect(await alertText()).toBe('E-mail address required');
    expect(requests.some(({ call }) => call.startsWith('POST /github'))).toBe(false);
  });

  test('keeps the code field until the server accepts a code', async () => {
    const network: Network = {
      ...confirmed,
      'POST /github-confirm-email': refusal('wrongEmailCode', { triesLeft: 4 }),
    };
    open('/email', { person, network });
    await type('E-mail address', 'octocat@example.org');
    await press('Set E-Mail');
    await type('Code from the e-mail', '000000');
    await expectAtField(
      'Code from the e-mail',
      "That code isn't right. Enter the one from the e-mail. 4 tries left.",
    );
  });

  test.each([
    ['The code is wrong.', 'The code is wrong.'],
    ['', NO_ANSWER],
    [{ ok: true }, NO_ANSWER],
  ])('is not confirmed by the answer %j', async (answer, sentence) => {
    open('/email', { person, network: { ...confirmed, 'POST /github-confirm-email': json(answer) } });
    await type('E-mail address', 'octocat@example.org');
    await press('Set E-Mail');
    await type('Code from the e-mail', '000000');
    expect(await alertText()).toBe(sentence);
  });

  test('cannot be confirmed for a while after too many wrong codes', async () => {
    const network = {
      ...confirmed,
      'POST /github-confirm-email': refusal('tooManyRequests', { retryAfter: 60 }),
    };
    open('/email', { person, network });
    await type('E-mail address', 'octocat@example.org');
    await press('Set E-Mail');
    await type('Code from the e-mail', '000000');
    await waitFor(() =>
      expect(screen.getByLabelText('Code from the e-mail')).toHaveProperty('disabled', true),
    );
  });
});

describe('the error screen', () => {
  test('shows an error that no page caught, and leads back to the pull request', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    open('/', { person: { ...record, authenticators: { 9919: null } } });
    expect(await alertText()).toMatch(/^Unknown error: /);
    screen.getByRole('button', { name: 'Back to Pull Request' });
    log.mockRestore();
  });

  test('says so if an error has no text', () => {
    const boundary = new ErrorBoundary({ children: null });
    boundary.state = ErrorBoundary.getDerivedStateFromError(null);
    expect(boundary.render()).toMatchObject({ props: { text: 'Major error in UI!' } });
  });

  test('is shown in a browser that denies storage to this site', async () => {
    const storage = jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    document.body.append(Object.assign(document.createElement('div'), { id: 'root' }));
    await import('../../../web/src/main.ts');
    expect(await alertText()).toBe('pocketbase not initialized');
    storage.mockRestore();
    document.body.replaceChildren();
  });
});
