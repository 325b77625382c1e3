type Step = { what: string; undo(): Promise<unknown> };

/** What the command has to take back. */
export type Undo = {
  /** Call this before the change, because its answer can be lost. */
  add(what: string, undo: Step['undo']): void;
  /** Takes everything back, the newest change first. @returns What it couldn't take back. */
  run(): Promise<string[]>;
};

/** It doesn't exist: the change never happened, or GitHub took it back itself. */
const GONE = [404, 422];

export function createUndo(): Undo {
  const steps: Step[] = [];
  return {
    add: (what, undo) => void steps.push({ what, undo }),
    async run() {
      const left: string[] = [];
      for (const { what, undo } of steps.splice(0).reverse())
        await undo().catch((error: unknown) => {
          if (!GONE.includes((error as { status?: number }).status ?? 0)) left.push(what);
        });
      return left;
    },
  };
}
