import type { LogReader, StoredEntry } from '../audit/ports.ts';
import { credentialSubject, recordSubject } from '../audit/subjects.ts';
import type { ActivityKind } from '../contract/activity.ts';
import type { EnrolmentLink } from '../contract/receipts.ts';
import { sha256Base64url, sha256OfJson } from '../shared/crypto.ts';
import type { Enrolments, ProvedApproval, StoredVouch } from './ports.ts';

export type ChainDeps = { auditLog: Pick<LogReader, 'ofSubject'>; enrolments: Enrolments };

/** A link whose entries don't have their audit paths yet. */
export type ChainLink = Omit<EnrolmentLink, 'registration' | 'vouch'> & {
  registration: StoredEntry | null;
  vouch: (Omit<NonNullable<EnrolmentLink['vouch']>, 'entry'> & { entry: StoredEntry | null }) | null;
};

/** An authenticator. `subject` is empty if no entry is about it. */
type Key = { holder: EnrolmentLink['holder']; publicKeySha256: string; subject: string };

/** The moment of a signature. Only what came before it can be how its key came in. */
type Moment = { number: number; iat: number };

const MOST_LINKS = 100;
const REGISTRATIONS: ActivityKind[] = ['webauthnRegister', 'webauthnPending', 'totpRegister'];

/**
 * Reads how the approver's authenticator came in: who vouched for it, how that person's own key came in, and so on, up to
 * a key that nobody vouched for.
 */
export async function enrolmentChain(
  deps: ChainDeps,
  { org, approval, entry }: { org: string; approval: ProvedApproval; entry: StoredEntry },
): Promise<ChainLink[]> {
  const links: ChainLink[] = [];
  // No key comes twice. So two people who vouched for each other make no circle.
  const seen = new Set<string>();
  let key: Key | null = keyOf(approval);
  let before: Moment = { number: entry.number, iat: iatOf(approval.statement) };
  while (key && links.length < MOST_LINKS && !seen.has(nameOf(key))) {
    seen.add(nameOf(key));
    const step: Step = await readStep(deps, { org, key, before, seen });
    links.push(step.link);
    key = step.next;
    before = step.before;
  }
  return inheritEnrolled(links);
}

type Step = { link: ChainLink; next: Key | null; before: Moment };

async function readStep(
  deps: ChainDeps,
  { org, key, before, seen }: { org: string; key: Key; before: Moment; seen: ReadonlySet<string> },
): Promise<Step> {
  const { holder, publicKeySha256, subject } = key;
  const [entries, vouches, enrolled] = await Promise.all([
    deps.auditLog.ofSubject(org, subject),
    publicKeySha256 === '' ? [] : deps.enrolments.vouches(org, publicKeySha256),
    deps.enrolments.enrolled(org, holder.id, publicKeySha256),
  ]);
  const earlier = entries.filter(({ number }) => number < before.number);
  const registration = earlier.findLast(({ event }) => isRegistration(event?.activity)) ?? null;
  const vouch = vouches.findLast(
    ({ proof, at }) =>
      !(proof && seen.has(keyOfAssertion(proof).publicKeySha256)) && secondsOf(at) <= before.iat,
  );
  const signed = vouch?.proof ? signedVouch(vouch.proof, earlier) : null;
  const link: ChainLink = {
    holder,
    publicKeySha256,
    enrolled: vouch?.enrolled ?? enrolledIn(registration) ?? enrolled,
    registration,
    vouch: signed,
  };
  // Nobody else let it in: a vouch by the operator has no signature.
  if (vouch && !signed) return { link, next: null, before };
  if (signed) {
    const number = signed.entry?.number ?? before.number;
    return { link, next: voucherOf(signed), before: { number, iat: signed.statement.iat } };
  }
  return { link, ...(await readConfirming(deps, { org, holder, registration, before })) };
}

const iatOf = (statement: unknown) => Number((statement as { iat?: unknown } | null)?.iat ?? 0);
/** An authenticator app has no key. */
const nameOf = ({ publicKeySha256, subject }: Key) => publicKeySha256 || subject;
const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000);
const isRegistration = (activity: unknown) => REGISTRATIONS.includes(activity as ActivityKind);
const enrolledIn = (registration: StoredEntry | null) =>
  registration?.event?.data.enrolled as ChainLink['enrolled'] | undefined;

function keyOf({ statement, method, proof, authenticator }: ProvedApproval): Key {
  const { user: holder } = statement as { user: Key['holder'] };
  if (method === 'totp' || !proof)
    return { holder, publicKeySha256: '', subject: recordSubject('totps', authenticator) };
  return { holder, ...keyOfAssertion(proof) };
}

const keyOfAssertion = ({ assertion, publicKey }: { assertion: { id: string }; publicKey: string }) => ({
  publicKeySha256: sha256Base64url(Buffer.from(publicKey, 'base64url')),
  subject: credentialSubject(assertion.id),
});

function signedVouch(
  { statement, assertion, publicKey }: NonNullable<StoredVouch['proof']>,
  earlier: StoredEntry[],
): NonNullable<ChainLink['vouch']> {
  const proofSha256 = sha256OfJson({ statement, assertion, publicKey });
  const entry = earlier.find(({ person }) => person?.facts.proofSha256 === proofSha256) ?? null;
  return {
    statement,
    assertion: assertion as NonNullable<EnrolmentLink['vouch']>['assertion'],
    publicKey,
    entry,
  };
}

const voucherOf = (vouch: NonNullable<ChainLink['vouch']>): Key => ({
  holder: vouch.statement.user,
  ...keyOfAssertion(vouch),
});

/** The holder's own authenticator that let in a further one. */
async function readConfirming(
  { enrolments }: ChainDeps,
  input: { org: string; holder: Key['holder']; registration: StoredEntry | null; before: Moment },
): Promise<{ next: Key | null; before: Moment }> {
  const { org, holder, registration, before } = input;
  const confirmedBy = registration?.person?.facts.confirmedBy;
  if (!registration || confirmedBy === undefined) return { next: null, before };
  const isApp = confirmedBy === 'totp';
  const own = await enrolments.registrations(org, holder.id);
  const found = own.findLast(
    ({ number, event, person }) =>
      number < registration.number &&
      (isApp
        ? event?.activity === 'totpRegister'
        : person?.facts.credential?.publicKeySha256 === confirmedBy),
  );
  const next = { holder, publicKeySha256: isApp ? '' : confirmedBy, subject: found?.subject ?? '' };
  return {
    next,
    before: { number: registration.number, iat: Math.min(before.iat, secondsOf(registration.at)) },
  };
}

/** A further authenticator has the trust of the authenticator that let it in. */
const inheritEnrolled = (links: ChainLink[]): ChainLink[] =>
  links.map((link, at) => ({
    ...link,
    enrolled: links.slice(at).find(({ enrolled }) => enrolled !== '')?.enrolled ?? '',
  }));
