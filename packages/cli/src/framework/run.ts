import { openConnection } from '../connection/connection.ts';
import { findIdentity, getAnonymousIdentity, getIdentity } from '../connection/profile.ts';
import type { Environment, Stream } from '../environment.ts';
import { createOutput } from '../terminal/output.ts';
import type { Command, Connection } from './command.ts';
import { exitCodes, toFailure } from './errors.ts';
import { helpFor } from './help.ts';
import { getCommand, readPositionals, readValues } from './parse.ts';
import { version } from './version.ts';

export interface Surroundings {
  env: Environment;
  stdout: Stream;
  stderr: Stream;
}

/** Runs one command line and resolves to its exit code. */
export async function run(
  argv: readonly string[],
  commands: readonly Command[],
  { env, stdout, stderr }: Surroundings,
): Promise<number> {
  const outputFor = (json: boolean) => createOutput({ stdout, stderr, env, json });
  try {
    if (argv[0] === '--version') {
      outputFor(false).text(`mooring ${version}`);
      return exitCodes.ok;
    }
    const { positionals, help } = readPositionals(argv, commands);
    if (help || positionals.length === 0) {
      if (!help) readValues(argv);
      outputFor(false).text(helpFor(positionals, commands));
      return exitCodes.ok;
    }
    const command = getCommand(positionals, commands);
    const values = readValues(argv, command);
    const out = outputFor(values.options.json === true);
    const requestedProfile = values.options.profile as string | undefined;
    const connect = ({ allowAnonymous = false } = {}): Connection => {
      const { profileName, ...identity } = allowAnonymous
        ? (findIdentity(env, requestedProfile) ?? getAnonymousIdentity(env))
        : getIdentity(env, requestedProfile);
      return { call: openConnection(identity), server: identity.server, profileName };
    };
    return (await command.run({ ...values, env, out, commands, connect })) ?? exitCodes.ok;
  } catch (error) {
    const failure = toFailure(error);
    outputFor(false).failure(failure.message, failure.advice);
    return failure.exitCode;
  }
}
