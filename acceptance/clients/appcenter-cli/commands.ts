import type { Command } from './command.ts';
import { analytics } from './journeys/analytics.ts';
import { apps } from './journeys/apps.ts';
import { bundles } from './journeys/bundles.ts';
import { codepush } from './journeys/codepush.ts';
import { collaborators } from './journeys/collaborators.ts';
import { groups } from './journeys/groups.ts';
import { orgs } from './journeys/orgs.ts';
import { releases } from './journeys/releases.ts';
import { signingIn } from './journeys/signing-in.ts';
import { symbols } from './journeys/symbols.ts';
import { tokens } from './journeys/tokens.ts';

export const journeys = [
  signingIn,
  tokens,
  apps,
  orgs,
  groups,
  collaborators,
  releases,
  analytics,
  symbols,
  codepush,
  bundles,
];

/** The name of a command: its words before the first option or value. */
const getName = ({ line }: Command): string =>
  /^[a-z]+(?:-[a-z]+)*(?: [a-z]+(?:-[a-z]+)*(?![/\w]))*/.exec(line)?.[0] ?? line;

export interface Proof {
  name: string;
  /** Runs that succeeded. */
  works: Command[];
  /** Errors of the client itself. */
  defects: Command[];
  /** Features that this server does not support yet. */
  missing: Command[];
}

/** All commands of the client in order, with the results of the suite. */
export const commands: Proof[] = [
  ...Map.groupBy(
    journeys.flatMap((journey) => journey.commands),
    getName,
  ),
].map(([name, lines]) => ({
  name,
  works: lines.filter(({ defect, missing }) => !defect && !missing),
  defects: lines.filter(({ defect }) => defect),
  missing: lines.filter(({ missing }) => missing),
}));
