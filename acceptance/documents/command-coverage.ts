import { readFileSync } from 'node:fs';
import path from 'node:path';
import { notRun, serverCommands } from '../clients/appcenter-cli/all-commands.ts';
import { commands } from '../clients/appcenter-cli/commands.ts';

/** Finds the tests that run each server command of appcenter-cli, by reading the tests. */

const folder = path.join(import.meta.dirname, '../clients/appcenter-cli');
/** Other suites, each with the files that contain its commands. */
const suites = [
  ['builds.test.ts', 'build-setup.ts'],
  ['tests.test.ts', 'tests.test.ts'],
  ['test-runs.test.ts', 'test-runs.test.ts'],
] as const;

/** The command lines in a file. */
const listLines = (file: string): string[] =>
  [...readFileSync(path.join(folder, file), 'utf8').matchAll(/\b(?:run|appcenter)\(\s*[`'"]([^`'"]+)/g)].map(
    ([, line = '']) => line,
  );

const runsCommand = (line: string, command: string): boolean => line === command || line.startsWith(`${command} `);
const suiteLines = suites.flatMap(([file, lines]) => listLines(lines).map((line) => ({ file, line })));

export interface CommandProof {
  command: string;
  /** The file that runs it. */
  by?: string;
  /** The result. */
  shown: string;
}

function findProof(command: string): CommandProof {
  const proof = commands.find(({ name }) => runsCommand(name, command));
  if (proof) {
    const isWorking = proof.works.length > 0;
    const reason = proof.defects[0]?.defect?.here ?? proof.missing[0]?.missing ?? '';
    return { command, by: 'appcenter-cli.test.ts', shown: isWorking ? 'works' : `client defect: ${reason}` };
  }
  const suite = suiteLines.find(({ line }) => runsCommand(line, command));
  if (suite) return { command, by: suite.file, shown: 'works' };
  return { command, shown: notRun[command] ?? '' };
}

export const commandProofs: CommandProof[] = serverCommands.map(findProof);

export const commandTable = `| command | test | result |
|---|---|---|
${commandProofs
  .map(({ command, by, shown }) => `| \`${command}\` | ${by ? `\`${by}\`` : 'not run'} | ${shown} |`)
  .join('\n')}`;
