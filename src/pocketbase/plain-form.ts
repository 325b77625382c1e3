/**
 * What the store's SDK needs of a `FormData`, in whose place the bundles put it. For that one, Node loads all of its
 * `fetch`, which takes 40 ms of a start, and 10 MB for as long as the process runs.
 */
export class PlainForm {
  readonly #entries: [string, string | Blob][] = [];

  append(name: string, value: string | Blob): void {
    this.#entries.push([name, value]);
  }

  entries(): IterableIterator<[string, string | Blob]> {
    return this.#entries.values();
  }

  /** For a request with files. */
  toFormData(): FormData {
    const form = new FormData();
    for (const [name, value] of this.#entries) form.append(name, value as Blob);
    return form;
  }
}
