import type { ChainDeps } from './enrolment-chain.ts';

/** The same reads, each made once: the receipts of a page have most of their chains in common. */
export function rememberReads({ log, enrolments }: ChainDeps): ChainDeps {
  return {
    log: { ofSubject: once(log.ofSubject) },
    enrolments: {
      vouches: once(enrolments.vouches),
      registrations: once(enrolments.registrations),
      enrolled: once(enrolments.enrolled),
    },
  };
}

function once<Input extends unknown[], Output>(read: (...input: Input) => Promise<Output>) {
  const known = new Map<string, Promise<Output>>();
  return (...input: Input): Promise<Output> => {
    const key = JSON.stringify(input);
    const found = known.get(key) ?? read(...input);
    known.set(key, found);
    return found;
  };
}
