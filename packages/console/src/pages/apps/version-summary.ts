interface StableVersion {
  version: string;
  devices: number;
  crashed_devices: number;
}

export interface VersionSummary {
  version: string;
  devices: number;
  /** Percent of its devices. */
  crashFree: number;
}

const { compare } = new Intl.Collator('en', { numeric: true });

/** Versions of all their builds, newest first. */
export function summarizeVersions(builds: readonly StableVersion[]): VersionSummary[] {
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
  return [...Map.groupBy(builds, ({ version }) => version)]
    .map(([version, rows]) => {
      const devices = sum(rows.map((row) => row.devices));
      const crashed = Math.min(devices, sum(rows.map((row) => row.crashed_devices)));
      return { version, devices, crashFree: Math.round(10_000 * (1 - crashed / devices)) / 100 };
    })
    .sort((a, b) => compare(b.version, a.version));
}
