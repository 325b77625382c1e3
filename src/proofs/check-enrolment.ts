import type { LogPerson } from '../contract/log-entry.ts';
import type { EnrolmentLink } from '../contract/receipts.ts';
import { hashBase64url, hashJson } from './bytes.ts';
import { keyHash } from './check-log.ts';
import { type LoggedReceipt, nameOf } from './check-statement.ts';
import { type Finding, findingsAbout } from './findings.ts';
import type { OpenedParts } from './leaf.ts';
import { openIncluded, type TrustedCheckpoint } from './trusted-log.ts';
import { verifyStatement } from './verify-statement.ts';

const { proved, claimed, failed } = findingsAbout('enrolment');

/** A link with the next one, and the log that its entries are proved by. */
type Linked = {
  link: EnrolmentLink;
  next: EnrolmentLink | undefined;
  log: TrustedCheckpoint | null;
  issuer: string;
  org: number;
  /** The number of the entry that the key was used for: how it came in has to be logged before. */
  before: number;
};

type Vouch = NonNullable<EnrolmentLink['vouch']>;

const REGISTRATIONS = ['webauthnRegister', 'webauthnPending', 'totpRegister'];
const BY_WORDS: Record<EnrolmentLink['enrolled'], string> = {
  '': 'before the server recorded how',
  open: 'after a sign-in with GitHub alone',
  email: 'with a code that was sent to a company address',
  vouched: 'with a vouch',
  operator: 'by the operator’s command',
};

/** Checks that each key of the chain came in by the next one, up to a key that nobody vouched for. */
export async function checkEnrolment({ receipt, log }: LoggedReceipt): Promise<Finding[]> {
  const { enrolment, statement, publicKey, issuer } = receipt.predicate;
  const org = statement.org.id;
  const [own] = enrolment;
  if (!own) return [claimed('The receipt doesn’t say how the key came in.')];
  if (
    own.holder.id !== statement.user.id ||
    own.publicKeySha256 !== (publicKey === null ? '' : keyHash(publicKey))
  )
    return [failed('The chain of keys begins with another key than the one that was used.')];
  const hashes = enrolment.map((link) => link.publicKeySha256).filter((hash) => hash !== '');
  if (new Set(hashes).size !== hashes.length) return [failed('The chain of keys has the same key twice.')];
  const findings: Finding[] = [];
  const verified: VerifiedLink[] = [];
  let before = receipt.predicate.log?.entry.number ?? 0;
  for (const [at, link] of enrolment.entries()) {
    const found = await checkLink({ link, next: enrolment[at + 1], log, issuer, org, before });
    before = (link.vouch ? link.vouch.entry : link.registration)?.number ?? before;
    findings.push(...found);
    verified.push({ link, isProved: isLetIn(link, found) });
  }
  return findings.some(({ status }) => status === 'failed')
    ? findings
    : [...findings, ...vouchSentence(statement.user, verified)];
}

/** A vouch is proved by its signature, even if its entry isn't there; everything else only by the log. */
const isLetIn = ({ vouch }: EnrolmentLink, findings: Finding[]) =>
  vouch !== null || findings.at(-1)?.status === 'proved';

async function checkLink(linked: Linked): Promise<Finding[]> {
  const { link } = linked;
  const opened = link.registration && open(link.registration, linked);
  if (typeof opened === 'string') return [failed(opened)];
  const problem = opened && registrationProblem(link, opened);
  if (problem) return [failed(problem)];
  return [
    registrationFinding(link, opened),
    ...(link.vouch
      ? await checkVouch(linked, link.vouch, opened)
      : [withoutVouch(linked, opened?.person ?? null)]),
  ];
}

/** Opens an entry: without a log it proves nothing. A key that was vouched for later wasn't when it was used. */
function open(entry: NonNullable<EnrolmentLink['registration']>, { log, before }: Linked) {
  if (!log) return `Entry ${entry.number} comes without the checkpoint of its log.`;
  if (entry.number >= before) return `Entry ${entry.number} is later than what the key was used for.`;
  return openIncluded(entry, log);
}

function registrationProblem(link: EnrolmentLink, { event, person }: OpenedParts): string | null {
  const { holder, publicKeySha256 } = link;
  const isOther =
    !REGISTRATIONS.includes(event.activity) ||
    (person !== null &&
      (person.facts.holder?.id !== holder.id ||
        (person.facts.credential?.publicKeySha256 ?? '') !== publicKeySha256));
  if (isOther)
    return `Entry ${link.registration?.number} isn’t the registration of the key of account ${holder.id}.`;
  const { enrolled: logged = '' } = event.data;
  const isKept = link.vouch === null && link.enrolled !== 'vouched' && link.enrolled !== 'operator';
  if (isKept && logged !== '' && logged !== link.enrolled)
    return `Entry ${link.registration?.number} says that the key came in another way.`;
  return null;
}

const authenticatorOf = ({ publicKeySha256, holder }: EnrolmentLink) =>
  `the ${publicKeySha256 === '' ? 'authenticator app' : 'key'} of ${nameOf(holder)}`;

function registrationFinding(link: EnrolmentLink, opened: OpenedParts | null): Finding {
  const whose = authenticatorOf(link);
  const number = link.registration?.number;
  if (!opened) return claimed(`The registration of ${whose} is from before the log began.`);
  if (opened.person) return proved(`Entry ${number} of the log registered ${whose}.`);
  return claimed(`Entry ${number} registered ${whose}, says the server: it was erased in part.`);
}

/** WebAuthn binds a key to a host name: the key still works if only the port or the scheme of the dashboard changes. */
const isSameHost = (one: string, other: string) =>
  URL.canParse(one) && new URL(one).hostname === new URL(other).hostname;

/** Checks that the next link's key signed that this key is its holder's. */
async function checkVouch(
  linked: Linked,
  vouch: Vouch,
  registration: OpenedParts | null,
): Promise<Finding[]> {
  const { link, next, issuer, org } = linked;
  const { holder, publicKeySha256 } = link;
  const { statement, assertion, publicKey, entry } = vouch;
  const registered = registration?.person;
  const isAbout =
    isSameHost(statement.host, issuer) &&
    statement.org.id === org &&
    statement.credential.publicKeySha256 === publicKeySha256 &&
    statement.credential.holder.id === holder.id &&
    (!registered || registered.facts.credential?.idSha256 === hashBase64url(statement.credential.id));
  if (!isAbout) return [failed(`The vouch for the key of ${nameOf(holder)} is about another key.`)];
  if (next?.publicKeySha256 !== keyHash(publicKey) || next.holder.id !== statement.user.id)
    return [failed(`The receipt leaves out the key that vouched for ${nameOf(holder)}.`)];
  if (!(await verifyStatement({ statement, assertion, publicKey })))
    return [failed(`The key of ${nameOf(statement.user)} didn’t sign the vouch for ${nameOf(holder)}.`)];
  const by = `The key of ${nameOf(statement.user)} signed that this key is ${nameOf(statement.credential.holder)}’s`;
  if (!entry) return [proved(`${by}.`), claimed('That vouch is from before the log began.')];
  const opened = open(entry, linked);
  if (typeof opened === 'string') return [failed(opened)];
  const { number } = entry;
  const { event, person } = opened;
  const fits =
    event.activity === 'vouch' &&
    (person === null ||
      (person.facts.by?.id === statement.user.id &&
        person.facts.holder?.id === holder.id &&
        person.facts.credential?.publicKeySha256 === publicKeySha256 &&
        person.facts.proofSha256 === hashJson({ statement, assertion, publicKey })));
  if (!fits) return [failed(`Entry ${number} of the log isn’t this vouch for ${nameOf(holder)}.`)];
  if (person) return [proved(`${by}: entry ${number} of the log.`)];
  return [proved(`${by}. Entry ${number} is in the log, but was erased in part.`)];
}

/** The end of the chain, or a further key that its holder's other key let in. */
function withoutVouch({ link, next }: Linked, person: LogPerson | null): Finding {
  const { holder, enrolled } = link;
  const whose = nameOf(holder);
  const confirmedBy = person?.facts.confirmedBy;
  if (!next) {
    if (confirmedBy !== undefined)
      return claimed(`Another authenticator of ${whose} let this key in; the receipt has nothing about it.`);
    if (enrolled === 'vouched')
      return claimed(`Somebody vouched for ${whose}, says the server: the signature isn’t here.`);
    return claimed(`Nobody vouched for ${authenticatorOf(link)}: it came in ${BY_WORDS[enrolled]}.`);
  }
  const nextHash = next.publicKeySha256 === '' ? 'totp' : next.publicKeySha256;
  if (next.holder.id !== holder.id || (person !== null && confirmedBy !== nextHash))
    return failed(`The key that follows in the chain isn’t the one that let in the key of ${whose}.`);
  if (person === null) return claimed(`Another authenticator of ${whose} let this key in, says the server.`);
  return proved(`The log says that another authenticator of ${whose} let this key in.`);
}

/** A link of the chain, and whether it's proved that the next link's key let it in. */
type VerifiedLink = { link: EnrolmentLink; isProved: boolean };

/** Names in one sentence who vouched for this person, as far as it's proved; nothing if nobody did. */
function vouchSentence(person: { id: number; login: string }, links: VerifiedLink[]): Finding[] {
  const end = links.findIndex(({ isProved }) => !isProved);
  const vouchers = links.slice(0, end < 0 ? links.length : end).flatMap(({ link }) => voucherOf(link));
  if (vouchers.length === 0) return [];
  const chain = vouchers.map(nameOf).join(', whose key was vouched for by ');
  return [
    proved(`${nameOf(person)} was vouched for by ${chain}.`),
    claimed('That people were allowed to vouch when they did, only the server says.'),
  ];
}

/** A person who confirms their own second device vouches for nobody. */
function voucherOf({ vouch, holder }: EnrolmentLink) {
  return vouch && vouch.statement.user.id !== holder.id ? [vouch.statement.user] : [];
}
