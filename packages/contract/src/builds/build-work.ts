import { Type } from '../type.ts';
import { EnvironmentVariable, Toolsets } from './toolsets.ts';

/** The job description of a build, as a runner receives it. */
export const BuildWork = Type.Object({
  app: Type.Object({ owner: Type.String(), name: Type.String(), os: Type.String(), platform: Type.String() }),
  build: Type.Object({
    id: Type.Integer(),
    branch: Type.String(),
    configuration: Type.Optional(Type.String({ description: 'The branch or pattern whose configuration applies.' })),
    commit: Type.String(),
    trigger: Type.Enum(['manual', 'continuous']),
    isDebug: Type.Boolean(),
  }),
  repository: Type.Object({
    url: Type.String(),
    name: Type.String(),
    username: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
    deployKey: Type.Optional(Type.String({ description: 'The SSH key that reads the repository.' })),
    knownHosts: Type.Optional(
      Type.String({ description: "The SSH host keys that the server has seen for the repository's host." }),
    ),
  }),
  isSigned: Type.Boolean(),
  buildNumber: Type.Optional(
    Type.String({
      description: 'The build number that replaces the one in the sources, if the branch is configured so.',
    }),
  ),
  toolsets: Toolsets,
  variables: Type.Array(EnvironmentVariable),
  variablesOfBuild: Type.Optional(
    Type.Array(Type.String(), { description: 'The variables that were set for this build only.' }),
  ),
  minutes: Type.Integer({ description: 'The most minutes that the build may take.' }),
});
