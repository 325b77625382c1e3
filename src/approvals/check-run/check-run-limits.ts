/** A stored checkpoint has at most 1,000 characters. An empty line comes before it. */
const ROOM_FOR_LOG = 1_500;

/**
 * GitHub refuses a check run with longer texts (docs.github.com, "REST API
 * endpoints for check runs"). It documents characters, but counts bytes of UTF-8. A completed run's summary ends
 * with the log's checkpoint.
 */
export const LONGEST = { title: 255, summary: 65_535 - ROOM_FOR_LOG, log: ROOM_FOR_LOG - 2 };

/**
 * As many parts as fit into `limit` bytes. Parts that don't fit become one, the
 * last: `rest` says how many they are.
 */
export function joinWithin(
  limit: number,
  parts: string[],
  { separator, rest }: { separator: string; rest(count: number): string },
): string {
  const all = parts.join(separator);
  if (Buffer.byteLength(all) <= limit) return all;
  const room = limit - Buffer.byteLength(separator + rest(parts.length));
  let text = '';
  for (const [index, part] of parts.entries()) {
    const longer = index === 0 ? part : text + separator + part;
    if (Buffer.byteLength(longer) > room) {
      const left = rest(parts.length - index);
      return index === 0 ? left : text + separator + left;
    }
    text = longer;
  }
  return text;
}
