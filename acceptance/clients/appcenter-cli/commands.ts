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

/** What a command is called: its words before the first option or value. */
const nameOf = ({ line }: Command): string =>
  /^[a-z]+(?:-[a-z]+)*(?: [a-z]+(?:-[a-z]+)*(?![/\w]))*/.exec(line)?.[0] ?? line;

export interface Proof {
  name: string;
  /** What was run and did what it should. */
  works: Command[];
  /** What the client does wrong by itself. */
  defects: Command[];
  /** What this server does not serve yet. */
  missing: Command[];
}

/** Each command of the client once, in order, with what the suite has shown of it. */
export const commands: Proof[] = [
  ...Map.groupBy(
    journeys.flatMap((journey) => journey.commands),
    nameOf,
  ),
].map(([name, lines]) => ({
  name,
  works: lines.filter(({ defect, missing }) => !defect && !missing),
  defects: lines.filter(({ defect }) => defect),
  missing: lines.filter(({ missing }) => missing),
}));
