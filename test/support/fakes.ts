/** The ports in memory, by the room that needs them, and examples of what passes through them. */
export * from './fakes/accounts.ts';
export * from './fakes/approvals.ts';
export * from './fakes/authenticators.ts';
export * from './fakes/examples.ts';
export * from './fakes/messages.ts';
export * from './fakes/sets.ts';
export { FakeClock, Stage } from './fakes/stage.ts';
export * from './fakes/sweeping.ts';
