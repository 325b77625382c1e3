import '../../lib/zod-without-eval.ts';
import type { PullStory } from '../../../../src/contract/approvals.ts';
import { DENIAL_TYPE, DEPLOYMENT_TYPE, type ReceiptStatement } from '../../../../src/contract/receipts.ts';
import { auditExport } from '../../../../src/proofs/audit-export.ts';
import { findCheckpoints, parseCheckpoint } from '../../../../src/proofs/checkpoint.ts';
import { claimed, type Finding, toVerification, type Verification } from '../../../../src/proofs/findings.ts';
import { parseKeyList } from '../../../../src/proofs/trusted-log.ts';
import { verifyReceipt } from '../../../../src/proofs/verify-receipt.ts';
import type { ReadFile } from './read-file.ts';

/** Verifies files. Sends nothing. */
export async function checkFiles(
  { files, keys, texts }: CheckInput,
  onProgress: (text: string) => void,
): Promise<CheckResult> {
  const keyList = parseKeyList(keys);
  const checkpoints = texts.flatMap(({ text, from }) =>
    findCheckpoints(text).map((checkpoint) => ({ checkpoint, from })),
  );
  const checked: Checked[] = [];
  for (const { name, receipts } of files.flatMap(receiptsOf)) {
    const verdicts: Verdict[] = [];
    for (const [at, receipt] of receipts.entries()) {
      onProgress(`Checking receipt ${at + 1} of ${receipts.length} in ${name}`);
      const subject = readSubject(receipt);
      const checkpoint = checkpointFor(subject?.checkpoint, checkpoints);
      const { findings } = await verifyReceipt(receipt, { keyList, checkpoint });
      const compared = checkpoint === undefined && checkpoints.length > 0 ? [notCompared] : [];
      const title = subject?.title ?? (receipts.length > 1 ? `Receipt ${at + 1}` : 'an unnamed commit');
      const verification = toVerification([...findings, ...compared]);
      const story = subject && isSigned(verification) ? storyOf(subject.receipt) : null;
      verdicts.push({ title, story, ...verification });
    }
    checked.push({ name, verdicts });
  }
  for (const { name, title, parts } of logsIn(files)) {
    onProgress(`Checking ${name}`);
    checked.push({
      name,
      verdicts: [{ title, story: null, ...(await auditExport(parts, { keyList, checkpoints })) }],
    });
  }
  return { checked, checkpoints: new Set(checkpoints.map(({ checkpoint }) => checkpoint)).size };
}

function receiptsOf(file: ReadFile): { name: string; receipts: unknown[] }[] {
  if (file.kind === 'receipt') return [{ name: file.name, receipts: [file.value] }];
  if (file.kind !== 'bundle') return [];
  const receipts = Reflect.get(file.value, 'receipts') as unknown[];
  // An empty bundle is verified as it is, so that it isn't valid.
  return [{ name: file.name, receipts: receipts.length > 0 ? receipts : [file.value] }];
}

/** Exports of the same log are its parts: they're audited together, by the number of their first entry. */
function logsIn(files: ReadFile[]): { name: string; title: string; parts: unknown[] }[] {
  const logs = new Map<string, { name: string; first: number; value: object }[]>();
  for (const file of files) {
    if (file.kind !== 'export') continue;
    const { log, entries } = file.value as { log?: unknown; entries?: { number?: unknown }[] };
    const first = Number(Array.isArray(entries) ? entries[0]?.number : undefined) || 0;
    const parts = logs.get(String(log)) ?? [];
    logs.set(String(log), [...parts, { name: file.name, first, value: file.value }]);
  }
  return [...logs].map(([log, parts]) => {
    const sorted = [...parts].sort((one, other) => one.first - other.first);
    return {
      name: sorted.map(({ name }) => name).join(', '),
      title: `Log ${log}`,
      parts: sorted.map(({ value }) => value),
    };
  });
}

const notCompared = claimed(
  'checkpoint',
  'The checkpoints that you gave cover another number of entries than this receipt’s, so they say nothing about it. ' +
    'Check an export of the log with them.',
);

/**
 * The checkpoint that a receipt has to agree with; undefined if none was given of its size. A check run's checkpoint is
 * rarely of the size of a receipt that was downloaded later, and then proves nothing for or against it.
 */
function checkpointFor(own: string | undefined, given: { checkpoint: string }[]): string | undefined {
  const body = parseCheckpoint(own ?? '')?.body;
  const sizeOf = (one: { checkpoint: string }) => parseCheckpoint(one.checkpoint)?.body;
  const ofLog = given.filter((one) => sizeOf(one)?.origin === body?.origin);
  const same = ofLog.filter((one) => sizeOf(one)?.size === body?.size);
  // A checkpoint that differs shows that there are two versions of the log, so it goes first.
  const differing = same.find(({ checkpoint }) => textOf(checkpoint) !== textOf(own ?? ''));
  const ofOther = ofLog.length === 0 ? given[0] : undefined;
  return (differing ?? same[0] ?? ofOther)?.checkpoint;
}

const textOf = (checkpoint: string) => parseCheckpoint(checkpoint)?.note.text;

/** The subject that a receipt claims. Nothing of this is verified. */
type Subject = { title: string; checkpoint: string | undefined; receipt: ReceiptStatement };

/** Null if it isn't readable. */
function readSubject(envelope: unknown): Subject | null {
  try {
    const bytes = Uint8Array.from(atob((envelope as { payload: string }).payload), (sign) =>
      sign.charCodeAt(0),
    );
    const receipt = JSON.parse(new TextDecoder().decode(bytes));
    const { predicate, predicateType } = receipt;
    const { repo, pr, run, environment, head, user } = predicate.statement;
    const isDeployment = predicateType === DEPLOYMENT_TYPE;
    if (![repo.name, isDeployment ? run && environment : pr, head, user.login].every(Boolean)) return null;
    const checkpoint = predicate.log?.checkpoint;
    const by = predicateType === DENIAL_TYPE ? 'denied by' : 'by';
    const decided = predicate.reason === null ? 'approved' : 'rejected';
    const commit = String(head).slice(0, 8);
    const title = isDeployment
      ? `Deployment ${decided} by ${user.login}: ${repo.name} at ${commit}, run ${run} to ${environment}`
      : `${repo.name} #${pr} at ${commit}, ${by} ${user.login}`;
    return {
      title: title.slice(0, 300),
      checkpoint: typeof checkpoint === 'string' ? checkpoint : undefined,
      receipt,
    };
  } catch {
    return null;
  }
}

/** A one-time code signs nothing, so its receipt has no story that is more than what the server says. */
const isSigned = ({ valid, findings }: Verification): boolean =>
  valid && findings.some(({ about, status }: Finding) => about === 'signature' && status === 'proved');

/**
 * The one approval or denial of a valid receipt; what happened to the pull request before and after isn't in it. Null for a
 * deployment, which is no part of a pull request's story.
 */
function storyOf({ predicateType, predicate }: ReceiptStatement): ReceiptStory | null {
  if (predicateType === DEPLOYMENT_TYPE) return null;
  const { statement, method, withdrawn } = predicate;
  const given = {
    ...{ id: statement.nonce, head: statement.head, base: statement.base, login: statement.user.login },
    ...{ avatarUrl: '', method, withdrawn },
  };
  const pull = `${statement.repo.name} #${statement.pr} into ${statement.base}`;
  const story = { pull, opened: null, head: null, base: null, approvals: [], denials: [] };
  return predicateType === DENIAL_TYPE
    ? { ...story, denials: [{ ...given, at: predicate.denied, reason: predicate.reason }] }
    : { ...story, approvals: [{ ...given, at: predicate.approved }] };
}

/** `pull` names the pull request and its base branch. */
type ReceiptStory = PullStory & { pull: string };

/** The findings about one receipt, or about a whole log. `story` is null unless a key signed the approval or denial. */
export type Verdict = Verification & { title: string; story: ReceiptStory | null };

/** A file, or the parts of one log. */
export type Checked = { name: string; verdicts: Verdict[] };

export type CheckInput = {
  files: ReadFile[];
  /** The published key list; undefined if there is none, and then nothing is valid. */
  keys: unknown;
  /** Texts with checkpoints from elsewhere, and where each is from. */
  texts: { text: string; from: string }[];
};

/** `checkpoints` is how many different ones from elsewhere the files were compared with. */
export type CheckResult = { checked: Checked[]; checkpoints: number };

/** A message of the worker to the page. */
export type WorkerMessage = { progress: string } | { result: CheckResult } | { problem: string };
