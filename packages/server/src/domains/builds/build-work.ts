import type { BuildWork } from '@mooring/contract';
import type { Static } from 'typebox';
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
}

/** What the runner is told; the contract held the settings to their types when they were saved. */
export const buildWork = ({ app, build, remote, settings, ofApp, ofBuild, minutes }: Parts): Work => ({
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
  toolsets: (settings.toolsets ?? {}) as Work['toolsets'],
  variables: joinVariables(ofApp, (settings.environmentVariables ?? []) as Variable[], ofBuild),
  variablesOfBuild: ofBuild.map(({ name }) => name),
  minutes,
});

const needed: Record<string, string> = { xcode: 'xcode', xamarin: 'dotnet', android: 'java', javascript: 'node' };

/** What a runner must have for these toolsets, by label or tool; labels that the configuration names, too. */
export const needsOf = ({ toolsets, repository }: Work): string[] => [
  ...(repository.deployKey === undefined ? [] : ['ssh']),
  ...Object.keys(toolsets).flatMap((name) => needed[name] ?? []),
  ...(toolsets.custom?.labels ?? []),
];
