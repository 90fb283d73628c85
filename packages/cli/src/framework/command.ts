import type { Client } from '@mooring/contract';
import type { Environment } from '../environment.ts';
import type { Output } from '../output.ts';

export interface ArgumentSpec {
  summary: string;
  optional?: true;
  /** Takes all the words that are left. */
  many?: true;
  /** The only words that it can be. */
  choices?: readonly string[];
}

export interface OptionSpec {
  summary: string;
  /** What stands for its value in the help; an option without one is a flag. */
  value?: string;
  required?: true;
  /** The only values that it can have. */
  choices?: readonly string[];
}

export type ArgumentSpecs = Record<string, ArgumentSpec>;
export type OptionSpecs = Record<string, OptionSpec>;

type Word<S> = S extends { choices: readonly (infer C extends string)[] } ? C : string;
type ArgumentValue<S extends ArgumentSpec> = S extends { many: true }
  ? Word<S>[]
  : S extends { optional: true }
    ? Word<S> | undefined
    : Word<S>;
type OptionValue<S extends OptionSpec> = S extends { value: string }
  ? S extends { required: true }
    ? Word<S>
    : Word<S> | undefined
  : boolean;

/** Every command has these. */
export const globalOptions = {
  json: { summary: 'Print the JSON of the API' },
  profile: { value: 'NAME', summary: 'Use this profile (or set MOORING_PROFILE)' },
  help: { summary: 'Explain the command' },
} as const satisfies OptionSpecs;

export interface Connection {
  call: Client;
  server: string;
  /** Absent when the environment says whom to speak as. */
  profileName?: string;
}

export interface Context {
  env: Environment;
  out: Output;
  commands: readonly Command[];
  /** Speaks to the server as the signed-in user; fails when there is none, unless nobody is good enough. */
  connect(options?: { mayBeNobody?: boolean }): Connection;
}

export type Values<A extends ArgumentSpecs, O extends OptionSpecs> = {
  args: { [K in keyof A]: ArgumentValue<A[K]> };
  options: { [K in keyof O]: OptionValue<O[K]> } & {
    [K in keyof typeof globalOptions]: OptionValue<(typeof globalOptions)[K]>;
  };
};

export interface CommandSpec<A extends ArgumentSpecs, O extends OptionSpecs> {
  /** One word, or several when those before the last are groups: `apps users list`. */
  name: string;
  summary: string;
  arguments?: A;
  options?: O;
  /** May resolve to an exit code; nothing means that all went well. */
  run(input: Context & Values<A, O>): Promise<void> | Promise<number> | void;
}

export interface ParsedValues {
  args: Record<string, string | string[] | undefined>;
  options: Record<string, string | boolean | undefined>;
}

export interface Command {
  name: string;
  summary: string;
  arguments: ArgumentSpecs;
  options: OptionSpecs;
  run(input: Context & ParsedValues): Promise<void> | Promise<number> | void;
}

/** Declares a command; what `run` gets is typed by the arguments and options declared with it. */
export const command = <
  const A extends ArgumentSpecs = Record<never, never>,
  const O extends OptionSpecs = Record<never, never>,
>(
  spec: CommandSpec<A, O>,
): Command => ({
  name: spec.name,
  summary: spec.summary,
  arguments: spec.arguments ?? {},
  options: spec.options ?? {},
  run: (input) => spec.run(input as Context & Values<A, O>),
});
