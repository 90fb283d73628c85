import { Type } from 'typebox';
import { EnvironmentVariable, Toolsets } from './toolsets.ts';

/** What a runner is told of a build. */
export const BuildWork = Type.Object({
  app: Type.Object({ owner: Type.String(), name: Type.String(), os: Type.String(), platform: Type.String() }),
  build: Type.Object({
    id: Type.Integer(),
    branch: Type.String(),
    commit: Type.String(),
    trigger: Type.Enum(['manual', 'continuous']),
    isDebug: Type.Boolean(),
  }),
  repository: Type.Object({
    url: Type.String(),
    name: Type.String(),
    username: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
  }),
  isSigned: Type.Boolean(),
  toolsets: Toolsets,
  variables: Type.Array(EnvironmentVariable),
  minutes: Type.Integer({ description: 'How long it may take.' }),
});
