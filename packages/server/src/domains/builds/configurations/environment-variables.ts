import type { EnvironmentVariable } from '@mooring/contract';
import type { Static } from 'typebox';
import { badRequest } from '../../../kernel/errors.ts';

export type Variable = Static<typeof EnvironmentVariable>;

export function checkVariables(variables: readonly Variable[]): void {
  const names = variables.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw badRequest(`The environment variable ${twice} is listed twice. Remove one.`);
  if (names.some((name) => name.toLowerCase() === 'platform')) {
    throw badRequest(
      "An environment variable can't be named Platform, because Microsoft's build tools read a variable of that name. Rename it.",
    );
  }
}

/** A variable in a later list overrides one with the same name. */
export const joinVariables = (...lists: readonly (readonly Variable[])[]): Variable[] => [
  ...new Map(lists.flat().map((variable) => [variable.name, variable])).values(),
];
