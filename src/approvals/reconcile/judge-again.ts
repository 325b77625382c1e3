import type { Organization } from '../../organizations/ports.ts';
import { type CompareDeps, compareHeads } from './compare-heads.ts';
import { syncInstallation } from './sync-open-pulls.ts';

/**
 * Judges every open head of an organization again in the background, after its policy
 * changed. Of several calls during one round, one more round follows. If it
 * fails or the process ends, the next reconciliation does the same.
 */
export function createJudgeAgain(deps: CompareDeps): (org: Organization) => void {
  /** By installation: whether another round has to follow the one that runs. */
  const rounds = new Map<number, { isWantedAgain: boolean }>();
  const judgeAll = async (org: Organization) => {
    try {
      const installation = await deps.installations.get(org.installationId);
      if (installation) await syncInstallation(deps, installation, compareHeads(deps));
    } catch (error) {
      deps.onSyncFailed(error, { repository: `${org.name}/*` });
    }
  };
  const run = async (org: Organization) => {
    const round = { isWantedAgain: false };
    rounds.set(org.installationId, round);
    await judgeAll(org);
    rounds.delete(org.installationId);
    if (round.isWantedAgain) await run(org);
  };
  return (org) => {
    const running = rounds.get(org.installationId);
    if (running) running.isWantedAgain = true;
    else void run(org);
  };
}
