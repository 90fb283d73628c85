import { Type } from '../type.ts';
import { EnvironmentVariable, Toolsets } from './toolsets.ts';

/** What a runner is told of a build. */
export const BuildWork = Type.Object({
  app: Type.Object({ owner: Type.String(), name: Type.String(), os: Type.String(), platform: Type.String() }),
  build: Type.Object({
    id: Type.Integer(),
    branch: Type.String(),
    configuration: Type.Optional(
      Type.String({ description: 'Whose settings these are: the branch, or the pattern that it follows.' }),
    ),
    commit: Type.String(),
    trigger: Type.Enum(['manual', 'continuous']),
    isDebug: Type.Boolean(),
  }),
  repository: Type.Object({
    url: Type.String(),
    name: Type.String(),
    username: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
    deployKey: Type.Optional(Type.String({ description: 'With which it is read by ssh.' })),
    knownHosts: Type.Optional(Type.String({ description: 'As whom its host has shown itself to the server.' })),
  }),
  isSigned: Type.Boolean(),
  buildNumber: Type.Optional(
    Type.String({ description: 'Which the package gets instead of the one in the sources, if the branch says so.' }),
  ),
  toolsets: Toolsets,
  variables: Type.Array(EnvironmentVariable),
  variablesOfBuild: Type.Optional(
    Type.Array(Type.String(), { description: 'Of them those that were given to this build alone.' }),
  ),
  minutes: Type.Integer({ description: 'How long it may take.' }),
});
