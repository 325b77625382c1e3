import { LONG_NAMES } from '../../demo/github/create-initial-pull.ts';
import { listOf, proofBy, registerCodes, registerKey, setRole } from '../support/account.ts';
import { CodeApp } from '../support/authenticator.ts';
import { confirmAddress, mailboxOf } from '../support/mailbox.ts';
import {
  type Answer,
  approveByKey,
  type Pull,
  type Session,
  startTestProduct,
  type TestProduct,
  targetOf,
} from '../support/product.ts';
import { type Run, release, waitingRelease } from '../support/release.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp.ts';

const NEXT_STEP_MS = 30_000;
const [LATIN = '', CYRILLIC = '', ARABIC = '', CHINESE = ''] = LONG_NAMES;
export const HOSTILE = '<b>Blue</b> key ‮evil 🙂';

const IMAGE = {
  name: 'abcDEF123ghiJKL456mn',
  colors: ['#69d2e7', '#a7dbd8', '#e0e4cc', '#f38630', '#fa6900'],
  variant: 'beam',
};

/** A product after some use: log entries of every kind, images, an e-mail address and pending pull requests. */
export type LivedIn = {
  product: TestProduct;
  /** Record ids of mona's authenticators in octo-org. */
  ids: { passkey: string; 'security-key': string; totp: string };
  /** Approved with a passkey by mona and with a code by octocat. */
  approved: Pull;
  /** Not approved. */
  waiting: Pull & { details: string };
  /** A workflow run that waits to deploy to `release`. */
  run: Run;
  stop(): Promise<void>;
};

/** Throws if the product refused a call. */
function assertOk(what: string, { status, text }: Answer): void {
  if (status >= 300) throw new Error(`${what}: ${status} ${text}`);
}

async function approveByCode(product: TestProduct, session: Session, otp: string, pull: Pull): Promise<void> {
  const body = { ...targetOf(product, pull), otp, accessToken: session.accessToken };
  assertOk('approval by code', await product.call('/github-totp-check', body, session));
}

/** The record id of a person's authenticator with this label; without a label, of their app. */
export async function idOf(product: TestProduct, session: Session, label?: string): Promise<string> {
  const list = await listOf(product, session, label === undefined ? 'totps' : 'webauthn');
  return String(list.find((record) => label === undefined || record.label === label)?.id);
}

export async function startLivedIn(): Promise<LivedIn> {
  const mail = await startSmtpServer();
  let product: TestProduct | undefined;
  const stop = async () => {
    await product?.stop();
    await mail.close();
  };
  try {
    product = await startTestProduct({
      // A full page of members, and a pull request for each of the long names.
      crowd: 50,
      pulls: LONG_NAMES.length,
      isGating: true,
      env: { SMTP_URL: mail.url, MAIL_FROM: 'otp-guard@inbox.example' },
    });
    return { product, ...(await liveIn(product, mail)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function liveIn(product: TestProduct, mail: SmtpServer): Promise<Omit<LivedIn, 'product' | 'stop'>> {
  const { orgID } = product.github.facts;
  await setRole(product, 'ghost', 'member');
  const [octocat, mona, ghost] = await Promise.all([
    product.signIn('octocat'),
    product.signIn('mona'),
    product.signIn('ghost'),
  ]);
  const mailbox = mailboxOf(mail);
  const [approved, waiting] = [
    await product.pendingPull('Say hello in more languages'),
    await product.pendingPull(`${ARABIC} ${CHINESE} and ${HOSTILE}`),
  ];

  await confirmAddress(product, mona, mailbox, 'mona.lisa.with.a.long.name@a-long-subdomain.inbox.example');
  const first = await registerKey(product, mona, { label: HOSTILE });
  assertOk('passkey', first);
  const proveRegistration = () => proofBy(product, mona, first.key, { type: 'register-authenticator' });
  assertOk(
    'key',
    await registerKey(product, mona, {
      label: LATIN,
      type: 'security-key',
      stepUp: await proveRegistration(),
    }),
  );
  assertOk('lost', await registerKey(product, mona, { label: CHINESE, stepUp: await proveRegistration() }));
  const registerApp = async (session: Session, stepUp: unknown) => {
    const app = new CodeApp();
    assertOk('app', await registerCodes(product, session, { app, code: app.codeAt(Date.now()), stepUp }));
    return app;
  };
  await registerApp(mona, await proveRegistration());
  await approveByKey(product, mona, first.key, approved);

  const laptop = await registerKey(product, octocat, { label: CYRILLIC });
  assertOk('passkey of octocat', laptop);
  const app = await registerApp(
    octocat,
    await proofBy(product, octocat, laptop.key, { type: 'register-authenticator' }),
  );
  await approveByCode(product, octocat, app.codeAt(Date.now() + NEXT_STEP_MS), approved);
  const ghosts = await registerKey(product, ghost, { label: ARABIC });
  assertOk('passkey of ghost', ghosts);
  const lost = { type: 'delete-authenticator', authenticatorID: await idOf(product, mona, CHINESE) } as const;
  const proof = await proofBy(product, mona, first.key, lost);
  assertOk('deletion', await product.remove('webauthn', lost.authenticatorID, mona, proof));
  const other = { ...lost, authenticatorID: await idOf(product, ghost, ARABIC) };
  const owners = await proofBy(product, octocat, laptop.key, other);
  assertOk('removal', await product.remove('webauthn', other.authenticatorID, octocat, owners));

  const organizations = { ...IMAGE, variant: 'bauhaus', name: 'organizationsImage12' };
  assertOk('image', await product.call('/github-set-image', { orgID, image: organizations }, octocat));
  assertOk('own image', await product.call('/personal-set-image', { orgID: 0, image: IMAGE }, mona));

  const ids = {
    passkey: await idOf(product, mona, HOSTILE),
    'security-key': await idOf(product, mona, LATIN),
    totp: await idOf(product, mona),
  };
  const run = await release(product);
  await waitingRelease(product, run);
  return { ids, approved, waiting, run };
}
