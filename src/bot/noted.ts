import type { WeakeningKind } from '../contract/protection.ts';
import { ABOUT_APP } from '../protection/compare.ts';
import type { MomentKind, Noted } from '../protection/ports.ts';
import type { Clock } from '../shared/clock.ts';

/** Adds a fact that this delivery's webhook tells for certain, and that a reading may come too late for. */
export const withWeakened = (
  noted: Noted | null,
  kind: MomentKind | undefined,
  delivery: string,
): Noted | null => (noted && kind ? { ...noted, weakened: { kind, delivery } } : noted);

/** Notes the sender of a webhook, if GitHub names one, as the person behind changes of these kinds. */
export const notedIn = (
  { clock }: { clock: Clock },
  { sender }: { sender?: { id: number; login: string } | undefined },
  kinds: readonly WeakeningKind[],
  about: string = ABOUT_APP,
): Noted | null =>
  sender ? { by: { id: sender.id, login: sender.login }, kinds, about, at: clock.now() } : null;
