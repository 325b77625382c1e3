/** The first line of what PocketBase wrote, at most 200 characters of it. */
export function firstLogLine(text: string | undefined): string {
  const [line = ''] = text?.trim().split('\n') ?? [];
  // Go's log starts each line with the time.
  return line.replace(/^[0-9/]+ [0-9:]+ /, '').slice(0, 200) || 'no reason given';
}
