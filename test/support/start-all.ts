/**
 * Calls `start`, which adds to its list how to end each thing that it started. Ends all of them, the last first, when the
 * returned `stop` is called or if the start fails. A failure of one doesn't keep the others, and is thrown at the end.
 */
export async function startAll<T extends object>(
  start: (stops: (() => unknown)[]) => Promise<T>,
): Promise<T & { stop(): Promise<void> }> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    const failures: unknown[] = [];
    for (const end of stops.splice(0).reverse()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    return { ...(await start(stops)), stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}
