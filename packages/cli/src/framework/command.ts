import type { Client } from '@mooring/contract';
import type { Environment } from '../environment.ts';
import type { Output } from '../terminal/output.ts';

/**
 * Arguments follow one convention: a command that always acts on an app, an organization or a subscription takes it as its
 * first argument (`releases list <app>`, `groups list <app|org>`). A command that also works without one takes an option
 * (`audit list --app OWNER/APP`).
 */
export interface ArgumentSpec {
  summary: string;
  optional?: true;
  /** Takes all remaining words. */
  many?: true;
  /** The allowed values. */
  choices?: readonly string[];
  /** Options that can stand in for this argument, as in earlier versions. They work everywhere and are hidden from help. */
  formerOptions?: Readonly<Record<string, FormerOption>>;
}

export interface FormerOption {
  /** Describes the pattern in an error. */
  form: string;
  pattern: RegExp;
}

export interface OptionSpec {
  summary: string;
  /** Placeholder of the value in help; an option without one is a flag. */
  value?: string;
  required?: true;
  /** The allowed values. */
  choices?: readonly string[];
}

export type ArgumentSpecs = Record<string, ArgumentSpec>;
export type OptionSpecs = Record<string, OptionSpec>;

type Choice<S> = S extends { choices: readonly (infer C extends string)[] } ? C : string;
type ArgumentValue<S extends ArgumentSpec> = S extends { many: true }
  ? Choice<S>[]
  : S extends { optional: true }
    ? Choice<S> | undefined
    : Choice<S>;
type OptionValue<S extends OptionSpec> = S extends { value: string }
  ? S extends { required: true }
    ? Choice<S>
    : Choice<S> | undefined
  : boolean;

/** Options of every command. */
export const globalOptions = {
  json: { summary: 'Print the API response as JSON' },
  profile: { value: 'NAME', summary: 'Profile to use (default MOORING_PROFILE, or the default profile)' },
  help: { summary: 'Show help' },
} as const satisfies OptionSpecs;

export interface Connection {
  call: Client;
  server: string;
  /** Absent if the environment provides server and token. */
  profileName?: string;
}

export interface Context {
  env: Environment;
  out: Output;
  commands: readonly Command[];
  /** Connects as the signed-in user; without one it fails, or connects anonymously if `allowAnonymous` is set. */
  connect(options?: { allowAnonymous?: boolean }): Connection;
}

export type Values<A extends ArgumentSpecs, O extends OptionSpecs> = {
  args: { [K in keyof A]: ArgumentValue<A[K]> };
  options: { [K in keyof O]: OptionValue<O[K]> } & {
    [K in keyof typeof globalOptions]: OptionValue<(typeof globalOptions)[K]>;
  };
};

export interface CommandSpec<A extends ArgumentSpecs, O extends OptionSpecs> {
  /** One or more words; all but the last are groups: `apps users list`. */
  name: string;
  /** Former names that still work. Each has as many words as `name`. */
  aliases?: readonly string[] | undefined;
  summary: string;
  /** Shown at the end of the help. */
  example?: string | undefined;
  arguments?: A;
  options?: O;
  /** May resolve to an exit code; the default is 0. */
  run(input: Context & Values<A, O>): Promise<void> | Promise<number> | void;
}

export interface ParsedValues {
  args: Record<string, string | string[] | undefined>;
  options: Record<string, string | boolean | undefined>;
}

export interface Command {
  name: string;
  aliases: readonly string[];
  summary: string;
  example?: string | undefined;
  arguments: ArgumentSpecs;
  options: OptionSpecs;
  run(input: Context & ParsedValues): Promise<void> | Promise<number> | void;
}

/** Declares a command. The declared arguments and options determine the type of the input of `run`. */
export const command = <
  const A extends ArgumentSpecs = Record<never, never>,
  const O extends OptionSpecs = Record<never, never>,
>(
  spec: CommandSpec<A, O>,
): Command => ({
  name: spec.name,
  aliases: spec.aliases ?? [],
  summary: spec.summary,
  example: spec.example,
  arguments: spec.arguments ?? {},
  options: spec.options ?? {},
  run: (input) => spec.run(input as Context & Values<A, O>),
});
