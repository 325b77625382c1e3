import { SETTING_NAMES, SETTING_PARTS, SETTINGS, type Setting } from './settings.ts';

const WIDEST_LINE = 118;

/** The table of all settings in `docs/settings.md`, in Markdown. */
export function settingsTable(): string {
  const rows = SETTING_NAMES.map((name) => {
    const setting = SETTINGS[name];
    return [`\`${name}\``, setting.default ?? '', [...sentences(setting), setting.more].join(' ').trim()];
  });
  const all = [['name', 'default', ''], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = '', ...body] = all.map(line);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

/** `.env.example`: every setting with its example, commented out. */
export function settingsExample(): string {
  const head =
    'The settings of `npm start`, which reads the environment, then the file `.env` in this folder. Every line is an example and commented out; without it the default applies. More in docs/settings.md.';
  const parts = Object.entries<Record<string, Setting>>(SETTING_PARTS).map(([title, settings]) =>
    [comment(title), ...Object.entries(settings).map(asExample)].join('\n\n'),
  );
  return `${[comment(head), ...parts].join('\n\n')}\n`;
}

const asExample = ([name, setting]: [string, Setting]) => {
  const fallback = setting.default === undefined ? [] : [`Default: ${setting.default}.`];
  return `${comment([...sentences(setting), ...fallback].join(' '))}\n#${name}=${setting.example}`;
};

const sentences = ({ what, required, secret }: Setting): string[] => [
  what,
  ...(required === undefined ? [] : [`Required ${required}.`]),
  ...(secret ? ['Secret.'] : []),
];

/** The text as lines of a comment, without Markdown. */
function comment(text: string): string {
  const lines = [''];
  for (const word of text.replaceAll('`', '').split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length < WIDEST_LINE) lines[lines.length - 1] = longer;
    else lines.push(` ${word}`);
  }
  return lines.map((line) => `#${line}`).join('\n');
}
