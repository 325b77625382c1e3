const HUES = ['#0969da', '#1a7f37', '#8250df', '#9a6700', '#bf3989', '#cf222e'];

/** An SVG with the first letter of a name; the name decides its colour. */
export function avatarOf(login: string): string {
  const sum = [...login].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  const letter = /[a-z0-9]/i.exec(login)?.[0]?.toUpperCase() ?? '?';
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40">' +
    `<rect width="40" height="40" fill="${HUES[sum % HUES.length]}"/>` +
    '<text x="20" y="27" font-family="system-ui, sans-serif" font-size="20" font-weight="600" fill="#fff" ' +
    `text-anchor="middle">${letter}</text></svg>`
  );
}
