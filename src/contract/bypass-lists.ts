import { z } from 'zod';
import { organizationFields } from './fields.ts';

/** An actor of a ruleset's bypass list, as GitHub's API has it. */
const rulesetActor = z.object({
  actor_id: z.number().int().nullish(),
  actor_type: z.string().regex(/^[A-Za-z]{1,40}$/),
  bypass_mode: z.string().max(40).optional(),
});

export type RulesetActor = z.infer<typeof rulesetActor>;

/** The members of GitHub's answer about a ruleset that count. GitHub leaves the list out for people who can't edit it. */
const readRuleset = z.object({
  id: z.number().int().positive(),
  updated_at: z.iso.datetime({ offset: true }),
  bypass_actors: z.array(rulesetActor).max(100).nullish(),
});

const MOST_PASTED = 60_000;
const NOT_PRINTED =
  'Paste what the command printed: one line that begins with {"bypass_actors" for each ruleset.';
const NOT_SHOWN =
  'GitHub shows that list only to people who can edit the ruleset: run the command as an owner.';

/** The rulesets in a terminal's text, one a line. Other lines, as of a prompt, are left out. */
function readPasted(text: string, context: z.RefinementCtx) {
  const lines = text.split('\n').map((line) => line.trim());
  const parsed = lines.filter((line) => line.startsWith('{')).map(parseRuleset);
  const rulesets = parsed.filter((one) => one !== null);
  const shown = rulesets.flatMap(({ id, updated_at, bypass_actors }) =>
    bypass_actors ? [{ id, updated: updated_at, actors: bypass_actors }] : [],
  );
  // Each repository of a ruleset stores its list, so a thousand lists of one ruleset must count once.
  if (shown.length > 0 && rulesets.length === parsed.length)
    return [...new Map(shown.map((list) => [list.id, list])).values()];
  const message = shown.length === 0 && rulesets.length > 0 ? NOT_SHOWN : NOT_PRINTED;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

function parseRuleset(line: string) {
  try {
    return readRuleset.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * `POST /bypass-lists`: for owners; the bypass lists of rulesets, as GitHub's command `gh` printed them for the owner. They
 * fill only lists that GitHub doesn't show to the App, and only until the ruleset changes. Answers what we know then of
 * the first repositories for which a list is news.
 */
export const bypassLists = z.object({
  ...organizationFields,
  text: z
    .string({ error: NOT_PRINTED })
    .max(MOST_PASTED, { error: `Paste at most ${MOST_PASTED.toLocaleString('en')} characters at a time.` })
    .transform(readPasted),
});

export type BypassLists = z.infer<typeof bypassLists>;
