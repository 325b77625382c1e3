/** The edges of a period as times; undefined where it's open. */
export const parsePeriod = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: dateOf(from),
  to: dateOf(to),
});

const dateOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
