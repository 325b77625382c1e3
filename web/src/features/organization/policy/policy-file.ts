import '../../../lib/zod-without-eval.ts';
import { type Document, isMap, LineCounter, type Node, parseDocument, stringify } from 'yaml';
import { type Policy, type PolicyFault, parsePolicy } from '../../../../../src/contract/policy.ts';
import { faultText } from './check-policy.ts';

/** The server takes a policy of at most this many characters. */
const MOST_CHARACTERS = 60_000;

/** The policy as a file for people, with a hint for editors that know JSON schemas. */
export function writePolicyFile(policy: Policy, origin: string): string {
  return `# yaml-language-server: $schema=${origin}/policy.schema.json\n${stringify(policy, { lineWidth: 0 })}`;
}

/** The policy in a YAML or JSON file, or what is wrong in it first, and in which line. */
export function readPolicyFile(
  text: string,
): { policy: Policy; problem?: never } | { policy?: never; problem: string } {
  if (text.length > MOST_CHARACTERS) return { problem: 'This file is too large for a policy.' };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => `Line ${lines.linePos(offset).line}`;
  const [error] = document.errors;
  if (error) return { problem: `${lineAt(error.pos[0])}: This isn't YAML. ${error.message}` };
  const value = readValue(document);
  const { policy, fault } = parsePolicy(value);
  if (policy) return { policy };
  return { problem: `${lineAt(offsetOf(document, fault))}: ${faultText(value, fault)}` };
}

/** Aliases can make a small file huge; the library then refuses. */
function readValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/** Finds the fault: at the name of a setting, or at the nearest part around a setting that isn't there. */
function offsetOf({ contents }: Document, { path }: PolicyFault): number {
  let node = contents as Node | null;
  let offset = node?.range?.[0] ?? 0;
  for (const part of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(part)) : undefined;
    const next = pair
      ? pair.value
      : (node as { get?(key: unknown, keep: true): unknown } | null)?.get?.(part, true);
    if (!pair && !next) break;
    offset = (pair?.key as Node | undefined)?.range?.[0] ?? (next as Node).range?.[0] ?? offset;
    node = next as Node | null;
  }
  return offset;
}
