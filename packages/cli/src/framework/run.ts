import { openConnection } from '../connection.ts';
import type { Environment, Stream } from '../environment.ts';
import { createOutput } from '../output.ts';
import { anybody, findIdentity, getIdentity } from '../profile.ts';
import type { Command, Connection } from './command.ts';
import { exitCodes, toFailure } from './errors.ts';
import { helpFor } from './help.ts';
import { getCommand, readValues, readWords } from './parse.ts';
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
    const { words, help } = readWords(argv, commands);
    if (help || words.length === 0) {
      if (!help) readValues(argv);
      outputFor(false).text(helpFor(words, commands));
      return exitCodes.ok;
    }
    const command = getCommand(words, commands);
    const values = readValues(argv, command);
    const out = outputFor(values.options.json === true);
    const asked = values.options.profile as string | undefined;
    const connect = ({ mayBeNobody = false } = {}): Connection => {
      const { profileName, ...identity } = mayBeNobody
        ? (findIdentity(env, asked) ?? anybody(env))
        : getIdentity(env, asked);
      return { call: openConnection(identity), server: identity.server, profileName };
    };
    return (await command.run({ ...values, env, out, commands, connect })) ?? exitCodes.ok;
  } catch (error) {
    const failure = toFailure(error);
    outputFor(false).failure(failure.message, failure.advice);
    return failure.exitCode;
  }
}
