/** The ports in memory, by the room that needs them, and examples of what passes through them. */

export * from './fakes/approvals.ts';
export * from './fakes/authenticators.ts';
export * from './fakes/deployments.ts';
export * from './fakes/enrolment.ts';
export * from './fakes/examples.ts';
export * from './fakes/messages.ts';
export * from './fakes/organizations.ts';
export * from './fakes/policies.ts';
export * from './fakes/protection.ts';
export * from './fakes/reconcile.ts';
export * from './fakes/sets.ts';
export { FakeClock, Stage } from './fakes/stage.ts';
