/** Breaks a line between words, and indents what follows. Only on a terminal: other programs get one line. */
export function wrapLine(
  line: string,
  indent: string,
  width = process.stdout.columns ?? Number.POSITIVE_INFINITY,
): string {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const end = rest.lastIndexOf(' ', width);
    if (end <= indent.length) break;
    lines.push(rest.slice(0, end));
    rest = `${indent}${rest.slice(end + 1)}`;
  }
  return [...lines, rest].join('\n');
}
