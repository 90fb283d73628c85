import type { EnvironmentVariable } from '@mooring/contract';
import type { Static } from 'typebox';
import { badRequest } from '../../kernel/errors.ts';

export type Variable = Static<typeof EnvironmentVariable>;

export function checkVariables(variables: readonly Variable[]): void {
  const names = variables.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw badRequest(`There are two environment variables ${twice}.`);
  if (names.some((name) => name.toLowerCase() === 'platform')) {
    throw badRequest('An environment variable cannot be named Platform: tools of Microsoft take it for theirs.');
  }
}

/** Of two with one name, that of the later list. */
export const joinVariables = (...lists: readonly (readonly Variable[])[]): Variable[] => [
  ...new Map(lists.flat().map((variable) => [variable.name, variable])).values(),
];
