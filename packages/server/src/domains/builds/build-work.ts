import { type BuildWork, wantsMono } from '@mooring/contract';
import type { Static } from 'typebox';
import { SECOND } from '../../kernel/clock.ts';
import { joinVariables, type Variable } from './environment-variables.ts';
import type { Remote } from './git.ts';
import { repositoryName } from './repository-urls.ts';

type Work = Static<typeof BuildWork>;

interface Parts extends Pick<Work, 'app' | 'build' | 'minutes'> {
  remote: Remote;
  /** Of the branch, with its secrets. */
  settings: Record<string, unknown>;
  /** Variables of the app, and those that were given to this build alone. */
  ofApp: readonly Variable[];
  ofBuild: readonly Variable[];
  now: number;
}

/** By the build, or by the time, which only goes up either way. */
function numberOf(settings: Record<string, unknown>, id: number, now: number): { buildNumber?: string } {
  const { buildNumberFormat } = (settings.artifactVersioning ?? {}) as { buildNumberFormat?: string };
  if (buildNumberFormat === 'buildId') return { buildNumber: String(id) };
  return buildNumberFormat === 'timestamp' ? { buildNumber: String(Math.floor(now / SECOND)) } : {};
}

/** What the runner is told; the contract held the settings to their types when they were saved. */
export const buildWork = ({ app, build, remote, settings, ofApp, ofBuild, minutes, now }: Parts): Work => ({
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
  ...numberOf(settings, build.id, now),
  toolsets: (settings.toolsets ?? {}) as Work['toolsets'],
  variables: joinVariables(ofApp, (settings.environmentVariables ?? []) as Variable[], ofBuild),
  variablesOfBuild: ofBuild.map(({ name }) => name),
  minutes,
});

const needed: Record<string, string> = { xcode: 'xcode', uwp: 'msbuild', android: 'java', javascript: 'node' };

const dotnetOf = ({ xamarin }: Work['toolsets']): string[] => (xamarin ? [wantsMono(xamarin) ? 'mono' : 'dotnet'] : []);

/** What a runner must have for these toolsets, by label or tool; labels that the configuration names, too. */
export const needsOf = ({ toolsets, repository }: Work): string[] => [
  ...(repository.deployKey === undefined ? [] : ['ssh']),
  ...Object.keys(toolsets).flatMap((name) => (name === 'android' && toolsets.xamarin ? [] : (needed[name] ?? []))),
  ...dotnetOf(toolsets),
  ...(toolsets.custom?.labels ?? []),
];
