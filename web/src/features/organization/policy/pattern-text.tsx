/** A sentence about a policy. Its patterns are between backquotes. */
export const PatternText = ({ text }: { text: string }) => (
  <bdi>
    {text.split('`').map((part, place) => {
      // biome-ignore lint/suspicious/noArrayIndexKey: a part's place is what identifies it.
      return place % 2 === 1 ? <code key={place}>{part}</code> : part;
    })}
  </bdi>
);
