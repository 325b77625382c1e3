import type { Ruleset } from './rulesets.ts';

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The `changes` of an `edited` event (GitHub: "Webhook events and payloads", repository_ruleset). */
export function changesBetween(before: Ruleset, after: Ruleset) {
  const typesBefore = new Map(before.rules.map((rule) => [rule.type, rule]));
  const typesAfter = new Set(after.rules.map(({ type }) => type));
  const added = after.rules.filter(({ type }) => !typesBefore.has(type));
  const deleted = before.rules.filter(({ type }) => !typesAfter.has(type));
  const updated = after.rules.flatMap((rule) => {
    const from = typesBefore.get(rule.type);
    if (!from || isSame(from, rule)) return [];
    return [{ rule, changes: { configuration: { from: JSON.stringify(from.parameters) } } }];
  });
  const [refBefore, refAfter] = [before.conditions.ref_name, after.conditions.ref_name];
  const condition = {
    condition: { ref_name: refAfter },
    changes: { include: { from: refBefore?.include }, exclude: { from: refBefore?.exclude } },
  };
  return {
    ...(before.name !== after.name && { name: { from: before.name } }),
    ...(before.enforcement !== after.enforcement && { enforcement: { from: before.enforcement } }),
    ...(!isSame(refBefore, refAfter) && { conditions: { added: [], deleted: [], updated: [condition] } }),
    ...(!isSame(before.rules, after.rules) && { rules: { added, deleted, updated } }),
  };
}
