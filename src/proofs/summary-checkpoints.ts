import { parseCheckpoint } from './checkpoint.ts';

/** At most what GitHub keeps of a summary, 65,535 characters, has few blocks; more aren't read. */
const MOST_BLOCKS = 100;
const BLOCK = /^(`{3,})[^`\n]*\n([\s\S]*?\n)\1`*[ \t]*$/gm;

/** The checkpoints in the fenced blocks of a Markdown text: the summary of a check run. Nothing is verified. */
export function checkpointsIn(markdown: string): string[] {
  const text = markdown.slice(0, 100_000).replaceAll('\r\n', '\n');
  const blocks = Array.from(text.matchAll(BLOCK), ([, , block = '']) => block).slice(0, MOST_BLOCKS);
  return blocks.filter((block) => parseCheckpoint(block) !== null);
}
