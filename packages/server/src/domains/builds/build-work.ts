import { type BuildWork, wantsMono } from '@mooring/contract';
import type { Static } from 'typebox';
import { SECOND } from '../../kernel/clock.ts';
import { joinVariables, type Variable } from './configurations/environment-variables.ts';
import type { Remote } from './repositories/git.ts';
import { repositoryName } from './repositories/repository-urls.ts';

type Work = Static<typeof BuildWork>;

interface Parts extends Pick<Work, 'app' | 'build' | 'minutes'> {
  remote: Remote;
  /** Settings of the branch, including secrets. */
  settings: Record<string, unknown>;
  /** Variables of the app, and those of this build only. */
  appVariables: readonly Variable[];
  buildVariables: readonly Variable[];
  now: number;
}

/** The build number or a timestamp; both only increase. */
function toBuildNumber(settings: Record<string, unknown>, id: number, now: number): { buildNumber?: string } {
  const { buildNumberFormat } = (settings.artifactVersioning ?? {}) as { buildNumberFormat?: string };
  if (buildNumberFormat === 'buildId') return { buildNumber: String(id) };
  return buildNumberFormat === 'timestamp' ? { buildNumber: String(Math.floor(now / SECOND)) } : {};
}

/** The work for the runner. Settings were validated against the contract when they were saved. */
export const buildWork = ({
  app,
  build,
  remote,
  settings,
  appVariables,
  buildVariables,
  minutes,
  now,
}: Parts): Work => ({
  app,
  build,
  repository: {
    url: remote.url,
    name: repositoryName(remote.url),
    ...(remote.username === undefined ? {} : { username: remote.username }),
    ...(remote.password === undefined ? {} : { password: remote.password }),
    ...(remote.ssh ? { deployKey: remote.ssh.privateKey, knownHosts: remote.ssh.knownHosts ?? '' } : {}),
  },
  isSigned: settings.signed === true,
  ...toBuildNumber(settings, build.id, now),
  toolsets: (settings.toolsets ?? {}) as Work['toolsets'],
  variables: joinVariables(appVariables, (settings.environmentVariables ?? []) as Variable[], buildVariables),
  variablesOfBuild: buildVariables.map(({ name }) => name),
  minutes,
});

const needed: Record<string, string> = { xcode: 'xcode', uwp: 'msbuild', android: 'java', javascript: 'node' };

const listDotnetTools = ({ xamarin }: Work['toolsets']): string[] =>
  xamarin ? [wantsMono(xamarin) ? 'mono' : 'dotnet'] : [];

/** Labels and tools that a runner needs for these toolsets, including labels that the configuration names. */
export const listNeeds = ({ toolsets, repository }: Work): string[] => [
  ...(repository.deployKey === undefined ? [] : ['ssh']),
  ...Object.keys(toolsets).flatMap((name) => (name === 'android' && toolsets.xamarin ? [] : (needed[name] ?? []))),
  ...listDotnetTools(toolsets),
  ...(toolsets.custom?.labels ?? []),
];
