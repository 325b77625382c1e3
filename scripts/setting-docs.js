// Writes the docs about the settings, from the list in src/settings/settings.ts.

const WIDEST_LINE = 118;

/** The table of all settings in `docs/settings.md`, in Markdown. */
export function settingsTable(settings) {
  const rows = Object.entries(settings).map(([name, setting]) => {
    return [`\`${name}\``, setting.default ?? '', [...sentences(setting), setting.more].join(' ').trim()];
  });
  const all = [['name', 'default', ''], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = '', ...body] = all.map(line);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

/** `.env.example`: every setting with its example, commented out. */
export function settingsExample(parts) {
  const head =
    'The settings of `npm start`, which reads the environment, then the file `.env` in this folder. Every line is an example and commented out; without it the default applies. More in docs/settings.md.';
  const blocks = Object.entries(parts).map(([title, settings]) =>
    [comment(title), ...Object.entries(settings).map(asExample)].join('\n\n'),
  );
  return `${[comment(head), ...blocks].join('\n\n')}\n`;
}

const asExample = ([name, setting]) => {
  const fallback = setting.default === undefined ? [] : [`Default: ${setting.default}.`];
  return `${comment([...sentences(setting), ...fallback].join(' '))}\n#${name}=${setting.example}`;
};

const sentences = ({ what, required, secret }) => [
  what,
  ...(required === undefined ? [] : [`Required ${required}.`]),
  ...(secret ? ['Secret.'] : []),
];

/** The text as lines of a comment, without Markdown. */
function comment(text) {
  const lines = [''];
  for (const word of text.replaceAll('`', '').split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length < WIDEST_LINE) lines[lines.length - 1] = longer;
    else lines.push(` ${word}`);
  }
  return lines.map((line) => `#${line}`).join('\n');
}
