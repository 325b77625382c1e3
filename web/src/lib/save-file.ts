/** Text for a file, in parts so that a long one is never a single string. */
type FileText = {
  name: string;
  type: 'application/json' | 'application/yaml' | 'text/csv' | 'text/plain';
  parts: string[];
};

/** Long enough for every browser to begin the download. */
const KEEP_MS = 60_000;

/** Lets the browser save a file that this page wrote. Nothing is sent. */
export function saveFile({ name, type, parts }: FileText): void {
  const url = URL.createObjectURL(new Blob(parts, { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
}

/** A part of a file's name: what isn't a letter, a digit or one of `.-_` becomes `-`. */
export const forFileName = (text: string) => text.replace(/[^\p{L}\p{N}._-]+/gu, '-');
