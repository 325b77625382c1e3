import { canonical, decodeBase64url, equalBytes, hashBase64url, hashJson } from './bytes.ts';
import { type LoggedReceipt, partsOf, type SignedReceipt, type Trust } from './check-statement.ts';
import { logOrigin } from './checkpoint.ts';
import { claimed, type Finding, failed, findingsAbout, proved } from './findings.ts';
import { type OpenedParts, signedProof } from './leaf.ts';
import { count, countEntries, openIncluded, readCheckpoint, type TrustedCheckpoint } from './trusted-log.ts';

type Checked = { log: TrustedCheckpoint | null; findings: Finding[] };

const NO_LOG =
  'The approval is from before the log began, so only the server says that this receipt isn’t newer than it claims.';

/** Checks that a published key signed the receipt's checkpoint, for the log of its organization. */
export function checkLog({ predicate }: SignedReceipt, trust: Trust): Checked {
  const { log, statement } = predicate;
  if (!log) {
    const wanted = trust.checkpoint !== undefined;
    const why = 'The receipt has no checkpoint to compare with the one you gave.';
    return { log: null, findings: [wanted ? failed('checkpoint', why) : claimed('log', NO_LOG)] };
  }
  const origin = logOrigin(trust.host, statement.org.id);
  const checkpoint = readCheckpoint(log.checkpoint, trust.keys);
  if (!checkpoint || checkpoint.origin !== origin)
    return {
      log: null,
      findings: [failed('log', `No published key signed the receipt’s checkpoint of ${origin}.`)],
    };
  const text = `A published key signed the log ${origin} with ${countEntries(checkpoint.size)}.`;
  return { log: checkpoint, findings: [proved('log', text), ...compareCheckpoint(checkpoint, trust)] };
}

/** Checks that the receipt's log is the one of a checkpoint from elsewhere. */
function compareCheckpoint(own: TrustedCheckpoint, { checkpoint, keys }: Trust): Finding[] {
  const { proved, failed } = findingsAbout('checkpoint');
  if (checkpoint === undefined) return [];
  const other = readCheckpoint(checkpoint, keys);
  if (!other) return [failed('No published key signed the checkpoint that you gave.')];
  if (other.origin !== own.origin)
    return [failed(`The checkpoint that you gave is of another log: ${other.origin}.`)];
  if (other.size !== own.size) {
    const size = `The checkpoint that you gave has ${countEntries(other.size)}, the receipt’s ${count(own.size)}.`;
    return [failed(`${size} Download the receipt again for size ${other.size}.`)];
  }
  if (!equalBytes(other.root, own.root))
    return [failed('The checkpoint that you gave has another root: there are two versions of the log.')];
  return [proved('The receipt’s log is that of the checkpoint that you gave.')];
}

/** Checks that the log has the decision, with what the receipt says about it. */
export function checkEntry({ receipt, log }: LoggedReceipt): Finding[] {
  const { proved, claimed, failed } = findingsAbout('entry');
  const { predicate } = receipt;
  if (!log || !predicate.log) return [];
  const { number } = predicate.log.entry;
  const parts = openIncluded(predicate.log.entry, log);
  if (typeof parts === 'string') return [failed(parts)];
  const differing = [...eventDiffers(receipt, parts), ...personDiffers(receipt, parts)];
  if (differing.length > 0)
    return [failed(`Entry ${number} of the log and the receipt differ: ${differing.join(', ')}.`)];
  const { noun, verdict } = partsOf(receipt);
  if (parts.person) return [proved(`Entry ${number} of the log is this ${noun}, with all that was signed.`)];
  const lost = verdict === undefined ? ' and what was signed' : ', what was signed and the verdict';
  return [
    proved(`Entry ${number} of the log is ${noun.startsWith('a') ? 'an' : 'a'} ${noun} of this commit.`),
    claimed(`What the entry said about the person was erased. It no longer shows who it was${lost}.`),
  ];
}

function eventDiffers(receipt: SignedReceipt, { event }: OpenedParts): string[] {
  const { predicate } = receipt;
  const { statement, userVerified, authenticator } = predicate;
  const { activity, at, data: named } = partsOf(receipt);
  const { data, facts } = event;
  return differences({
    ...Object.fromEntries(Object.entries(named).map(([name, value]) => [name, [data[name], value]])),
    method: [event.activity, activity],
    log: [event.log, predicate.log && logOrigin(statement.host, statement.org.id)],
    time: [event.at, at],
    head: [data.sha, statement.head],
    repository: [facts.repoId, statement.repo.id],
    'repository name': [data.repo, statement.repo.name.split('/')[1]],
    'user verification': [facts.userVerified ?? false, userVerified],
    'key model': [facts.aaguid ?? '', authenticator.aaguid],
    'verified model': [facts.modelVerified ?? false, authenticator.modelVerified],
  });
}

function personDiffers(receipt: SignedReceipt, { person }: OpenedParts): string[] {
  if (!person) return [];
  const { statement, assertion, publicKey } = receipt.predicate;
  const { batch, verdict } = partsOf(receipt);
  const { facts } = person;
  return differences({
    person: [facts.by?.id, statement.user.id],
    holder: [facts.holder?.id, statement.user.id],
    'signed proof': [facts.proofSha256, hashJson(signedProof({ statement, assertion, publicKey, batch }))],
    'credential id': [facts.credential?.idSha256, assertion ? hashBase64url(assertion.id) : undefined],
    'public key': [facts.credential?.publicKeySha256, publicKey === null ? undefined : keyHash(publicKey)],
    verdict: [canonical(facts.verdict ?? null), canonical(verdict ?? null)],
  });
}

/** SHA-256, base64url, over a COSE key in base64url. Null if it isn't base64url. */
export function keyHash(publicKey: string): string | null {
  const bytes = decodeBase64url(publicKey);
  return bytes && hashBase64url(bytes);
}

const differences = (pairs: Record<string, [unknown, unknown]>): string[] =>
  Object.entries(pairs).flatMap(([name, [logged, received]]) => (logged === received ? [] : [name]));
